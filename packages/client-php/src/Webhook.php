<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** The check of webhooks, by the Standard Webhooks specification. */
final class Webhook
{
    /**
     * The event in a webhook, if Wheelhouse signed it with one of the secrets.
     *
     * @param array<string, string|list<string>> $headers From `getallheaders()`, from a framework, or `$_SERVER`.
     * @param string $body The raw body, not parsed and not changed: `file_get_contents('php://input')`.
     * @param string|list<string> $secrets Both secrets while you rotate one.
     * @param int $toleranceSeconds How old the webhook may be, and how far in the future.
     * @param int|null $now Seconds since 1970.
     * @throws WebhookRejected
     */
    public static function verify(
        array $headers,
        string $body,
        #[\SensitiveParameter] string|array $secrets,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): Event {
        $keys = array_map(self::keyOf(...), (array) $secrets);
        if ($keys === []) {
            throw new \InvalidArgumentException('Give at least one webhook secret.');
        }
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::header($headers, 'webhook-signature');
        $isTime = preg_match('/^\d{1,12}\z/', $timestamp) === 1;
        $ageSeconds = $isTime ? ($now ?? time()) - (int) $timestamp : INF;
        if (abs($ageSeconds) > $toleranceSeconds) {
            $message = "The webhook is $ageSeconds seconds old by the clock of this machine.";
            throw new WebhookRejected('timestamp_out_of_range', $message);
        }
        if (!self::isSigned("$id.$timestamp.$body", $signatures, $keys)) {
            $message = 'The webhook is not signed with any of these secrets.';
            throw new WebhookRejected('signature_mismatch', $message);
        }
        try {
            return Event::of(json_decode($body, true, flags: JSON_THROW_ON_ERROR));
        } catch (\Exception | \TypeError) {
            throw new WebhookRejected('body_malformed', 'The body of the webhook is not an event.');
        }
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $name): string
    {
        foreach ($headers as $own => $value) {
            // In $_SERVER it is called HTTP_WEBHOOK_ID.
            $plain = preg_replace('/^http-/', '', strtr(strtolower((string) $own), '_', '-'));
            $text = is_array($value) ? $value[0] ?? '' : $value;
            if ($plain === $name && $text !== '') {
                return $text;
            }
        }
        throw new WebhookRejected('headers_missing', "The header $name is missing.");
    }

    /** @param list<string> $keys */
    private static function isSigned(string $signed, string $signatures, #[\SensitiveParameter] array $keys): bool
    {
        foreach ($keys as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
            foreach (explode(' ', $signatures) as $given) {
                if (hash_equals($expected, $given)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static function keyOf(#[\SensitiveParameter] string $secret): string
    {
        $base64 = str_starts_with($secret, 'whsec_') ? substr($secret, strlen('whsec_')) : $secret;
        $key = base64_decode($base64, true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('A webhook secret looks like whsec_…');
        }
        return $key;
    }
}
