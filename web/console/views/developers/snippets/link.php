<?php
$response = file_get_contents('https://wheel.example/api/game/sso', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: ' . getenv('WHEELHOUSE_TOKEN'),
        'Content-Type: application/json',
    ],
    'content' => json_encode(['playerId' => 'alice']),
    'ignore_errors' => true,
    'timeout' => 10,
]]));
$answer = json_decode((string) $response, true);
echo $answer['link'] ?? "Refused: {$answer['code']}", "\n";
