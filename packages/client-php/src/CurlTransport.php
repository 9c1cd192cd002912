<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** By the extension curl. The connection stays open for the next call. */
final class CurlTransport implements Transport
{
    private ?\CurlHandle $curl = null;
    private int $processId = 0;

    public function send(Request $request, float $timeoutSeconds): Response
    {
        $headerLines = [];
        $curl = $this->handle();
        curl_setopt_array($curl, [
            CURLOPT_URL => $request->url,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_CUSTOMREQUEST => $request->method,
            // Without "Expect", which curl adds to longer bodies, and which costs a round trip.
            CURLOPT_HTTPHEADER => [...$request->headerLines(), 'Expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ceil(min($timeoutSeconds, 86_400) * 1000),
            CURLOPT_NOSIGNAL => true,
            // Curl itself repeats a request whose connection was closed meanwhile.
            CURLOPT_FRESH_CONNECT => !$request->isRepeatable,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$headerLines): int {
                $headerLines[] = $line;
                return strlen($line);
            },
        ]);
        if ($request->body !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $request->body);
        }
        $body = curl_exec($curl);
        if (!is_string($body)) {
            throw new NoAnswer(curl_error($curl));
        }
        return new Response(curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $headerLines, $body);
    }

    /** A process that was forked must not use its parent's connection. */
    private function handle(): \CurlHandle
    {
        if ($this->curl === null || $this->processId !== getmypid()) {
            $this->curl = curl_init();
            $this->processId = getmypid();
        }
        curl_reset($this->curl);
        return $this->curl;
    }
}
