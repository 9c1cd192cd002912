<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/**
 * Sends a request until it is answered, refused for good, or the deadline is near. It is the same each time.
 *
 * @internal
 */
final class Sender
{
    private const FIRST_PAUSE_SECONDS = 0.1;
    private const PAUSE_SECONDS_MAX = 10.0;

    /** @param (\Closure(Retry): mixed)|null $onRetry */
    public function __construct(private readonly Transport $transport, private readonly ?\Closure $onRetry)
    {
    }

    /**
     * @param float $deadlineSeconds For the whole call.
     * @param float $attemptSeconds For one attempt: a connection that fell silent must not use up the whole deadline.
     * @throws WheelhouseProblem|WheelhouseUnreachable
     */
    public function send(Request $request, float $deadlineSeconds, float $attemptSeconds): Response
    {
        $deadline = self::now() + $deadlineSeconds;
        for ($attempts = 1;; $attempts++) {
            $retryAfterSeconds = 0.0;
            try {
                $response = $this->transport->send($request, max(0.001, min($attemptSeconds, $deadline - self::now())));
                if ($response->isSuccess() && $response->json() !== null) {
                    return $response;
                }
                $retryAfterSeconds = self::secondsIn($response->headers['retry-after'] ?? '');
                [$error, $mayRepeat] = self::judge($request, $response);
            } catch (NoAnswer $cause) {
                $message = "No answer from {$request->name()}: {$cause->getMessage()}";
                $error = new WheelhouseUnreachable($message, null, $request->idempotencyKey, $cause);
                $mayRepeat = $request->isRepeatable;
            }
            $waitSeconds = $retryAfterSeconds + self::backoffSeconds($attempts - 1);
            // To wait for an attempt that has no time left would only delay the error.
            if (!$mayRepeat || self::now() + $waitSeconds >= $deadline) {
                throw $error;
            }
            if ($this->onRetry !== null) {
                ($this->onRetry)(new Retry($error, $waitSeconds, $attempts));
            }
            usleep((int) ($waitSeconds * 1e6));
        }
    }

    /** @return array{WheelhouseProblem|WheelhouseUnreachable, bool} The error; whether to repeat. */
    private static function judge(Request $request, Response $response): array
    {
        $body = $response->json() ?? [];
        // 429 is sent before anything is done, so that even what must not be repeated may be.
        $isSafe = $request->isRepeatable || $response->status === 429;
        if (is_string($body['code'] ?? null) && is_bool($body['retryable'] ?? null)) {
            return [new WheelhouseProblem($body, $request->idempotencyKey), $isSafe && $body['retryable']];
        }
        $message = "Something that is not Wheelhouse answered {$request->name()} with $response->status";
        $error = new WheelhouseUnreachable($message, $response->status, $request->idempotencyKey);
        return [$error, $isSafe && self::isPassing($response)];
    }

    /** A proxy that can't reach the server, or JSON that was cut off. A page instead of JSON is a wrong address. */
    private static function isPassing(Response $response): bool
    {
        if ($response->isSuccess()) {
            return str_contains($response->headers['content-type'] ?? '', 'json');
        }
        return in_array($response->status, [408, 429], true) || $response->status >= 500;
    }

    /** Exponential, with full jitter, so that callers that failed together do not come back together. */
    private static function backoffSeconds(int $failures): float
    {
        $most = min(self::PAUSE_SECONDS_MAX, self::FIRST_PAUSE_SECONDS * 2 ** min($failures, 30));
        return random_int(0, (int) ($most * 1e6)) / 1e6;
    }

    /** Wheelhouse sends seconds; a proxy may send a date. */
    private static function secondsIn(string $retryAfter): float
    {
        if (preg_match('/^\d+\z/', $retryAfter) === 1) {
            return (float) $retryAfter;
        }
        $date = strtotime($retryAfter);
        return $date === false ? 0.0 : (float) max(0, $date - time());
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }
}
