<?php
$response = file_get_contents('https://wheel.example/api/player/increaseSpin', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: ' . getenv('WHEELHOUSE_TOKEN'),
        'Content-Type: application/json',
        'Idempotency-Key: order-4711',
    ],
    'content' => json_encode(['playerId' => 'alice', 'spinNumber' => 5]),
    'ignore_errors' => true,
    'timeout' => 10,
]]));
$answer = json_decode((string) $response, true);
echo isset($answer['spinCount']) ? "alice has {$answer['spinCount']} spins\n" : "Refused: {$answer['code']}\n";
