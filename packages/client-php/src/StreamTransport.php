<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** By PHP's own streams, which every PHP has. Each request has a connection of its own. */
final class StreamTransport implements Transport
{
    public function send(Request $request, float $timeoutSeconds): Response
    {
        $deadline = hrtime(true) / 1e9 + $timeoutSeconds;
        $http = [
            'method' => $request->method,
            'header' => $request->headerLines(),
            'content' => $request->body ?? '',
            'protocol_version' => 1.1,
            'timeout' => min($timeoutSeconds, 86_400),
            'follow_location' => 0,
            'ignore_errors' => true,
        ];
        $warnings = [];
        set_error_handler(static function (int $_, string $text) use (&$warnings): bool {
            $warnings[] = $text;
            return true;
        });
        try {
            $stream = fopen($request->url, 'r', false, stream_context_create(['http' => $http]));
            if ($stream === false) {
                // The warning begins with the name of the function, and may take several lines.
                $reason = preg_replace('/^fopen\(.*?\): (failed to open stream: )?/i', '', $warnings[0] ?? 'none');
                throw new NoAnswer(strtr($reason, "\n", ' '));
            }
            return self::read($stream, $deadline);
        } finally {
            restore_error_handler();
        }
    }

    /** @param resource $stream */
    private static function read($stream, float $deadline): Response
    {
        $lines = stream_get_meta_data($stream)['wrapper_data'] ?? [];
        $body = '';
        while (!feof($stream)) {
            $left = max(0.001, $deadline - hrtime(true) / 1e9);
            stream_set_timeout($stream, (int) $left, (int) (fmod($left, 1) * 1e6));
            $body .= fread($stream, 65_536);
            if (stream_get_meta_data($stream)['timed_out']) {
                throw new NoAnswer('the answer did not arrive in time');
            }
        }
        fclose($stream);
        if (preg_match('/^HTTP\/\S+ (\d{3})/', $lines[0] ?? '', $found) !== 1) {
            throw new NoAnswer('the answer is not HTTP');
        }
        $response = new Response((int) $found[1], $lines, $body);
        // Streams don't tell when the connection ends too early.
        if (strlen($body) < (int) ($response->headers['content-length'] ?? 0)) {
            throw new NoAnswer('the answer was cut off');
        }
        return $response;
    }
}
