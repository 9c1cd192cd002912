<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** Talks to Wheelhouse. Every call is repeated until it is answered, where a repeat is safe and the deadline allows. */
final class Wheelhouse
{
    private readonly string $url;
    private readonly string $token;
    private readonly Sender $sender;

    /**
     * @param string $url Where Wheelhouse is, such as `https://wheel.example`.
     * @param string $token A service token. Keep it on your server.
     * @param float $deadlineSeconds How long a call may take, with all its retries.
     * @param float $attemptSeconds How long one attempt may take.
     * @param (\Closure(Retry): mixed)|null $onRetry Called before each retry.
     * @param Transport|null $transport Curl if PHP has it, otherwise streams.
     */
    public function __construct(
        string $url,
        #[\SensitiveParameter] string $token,
        private readonly float $deadlineSeconds = 30,
        private readonly float $attemptSeconds = 10,
        ?\Closure $onRetry = null,
        ?Transport $transport = null,
    ) {
        if (preg_match('~^https?://[^/?#@\s]+(/[^?#@\s]*)?\z~i', $url) !== 1 || parse_url($url) === false) {
            throw new \InvalidArgumentException('The url of Wheelhouse is https:// or http://, a host, and no more.');
        }
        // Without the value in the message, which may end up in a log.
        if (!self::isVisibleAscii($token)) {
            $message = 'The token is empty, or has white space or other characters that no token has.';
            throw new \InvalidArgumentException($message);
        }
        $this->url = rtrim($url, '/');
        $this->token = $token;
        $transport ??= extension_loaded('curl') ? new CurlTransport() : new StreamTransport();
        $this->sender = new Sender($transport, $onRetry);
    }

    /**
     * Gives a player spins, exactly once however often the request has to be repeated. Pass an `idempotencyKey` that
     * names the reason, such as an order number, and a second call for the same order adds nothing either.
     *
     * @throws WheelhouseProblem|WheelhouseUnreachable
     */
    public function grant(
        string $playerId,
        int $spinNumber,
        ?string $idempotencyKey = null,
        ?float $deadlineSeconds = null,
    ): Grant {
        $body = ['playerId' => $playerId, 'spinNumber' => $spinNumber];
        $options = ['body' => $body, 'idempotencyKey' => $idempotencyKey, 'deadlineSeconds' => $deadlineSeconds];
        $response = $this->send('POST', '/api/player/increaseSpin', ...$options);
        ['playerId' => $playerId, 'spinCount' => $spinCount] = $response->json();
        return new Grant($playerId, $spinCount, ($response->headers['idempotent-replayed'] ?? '') === 'true');
    }

    /**
     * Makes a game link. `initialSpin` welcomes a newcomer: it is granted once per player.
     *
     * @throws WheelhouseProblem|WheelhouseUnreachable
     */
    public function link(string $playerId, ?int $initialSpin = null, ?float $deadlineSeconds = null): GameLink
    {
        $body = ['playerId' => $playerId] + ($initialSpin === null ? [] : ['initialSpin' => $initialSpin]);
        $made = $this->request('POST', '/api/game/sso', body: $body, deadlineSeconds: $deadlineSeconds);
        return new GameLink($made['link'], $made['token']);
    }

    /**
     * Marks a prize as claimed by its winner. A play wins at most one prize, which goes by the id of the play.
     *
     * @return array<string, mixed> The prize.
     * @throws WheelhouseProblem|WheelhouseUnreachable
     */
    public function claimPrize(string $playId): array
    {
        return $this->request('PUT', '/api/v1/prizes/{playId}/claim', ['playId' => $playId], body: []);
    }

    /**
     * Hands a prize over. Only the first redemption succeeds; a second one gets the problem `prize_settled`.
     *
     * @return array<string, mixed> The prize.
     * @throws WheelhouseProblem|WheelhouseUnreachable
     */
    public function redeemPrize(string $playId): array
    {
        return $this->request('PUT', '/api/v1/prizes/{playId}/redemption', ['playId' => $playId], body: []);
    }

    /**
     * Takes a prize back that has not been handed over.
     *
     * @return array<string, mixed> The prize.
     * @throws WheelhouseProblem|WheelhouseUnreachable
     */
    public function cancelPrize(string $playId, ?string $reason = null): array
    {
        $body = $reason === null ? [] : ['reason' => $reason];
        return $this->request('PUT', '/api/v1/prizes/{playId}/cancellation', ['playId' => $playId], body: $body);
    }

    /**
     * The merchant's events, one after the other, as they happen. Resumes by itself after a lost connection.
     *
     * @param int|null $after The number of the last event that you have dealt with; null begins with the oldest event
     *     that is kept.
     * @param list<string> $types Only these types.
     * @param int $waitSeconds How long one request waits for an event, up to 30. With 0 the loop ends when there is
     *     nothing more to read.
     * @param (\Closure(int): mixed)|null $onPosition Called when every event up to a number has been dealt with, which
     *     is so when the next one is asked for: keep the number, and start with it as `after` next time.
     * @return \Generator<int, Event>
     * @throws WheelhouseProblem|WheelhouseUnreachable
     */
    public function events(
        ?int $after = null,
        array $types = [],
        int $waitSeconds = 25,
        ?\Closure $onPosition = null,
    ): \Generator {
        do {
            $page = $this->eventPage($after, $types, $waitSeconds, INF);
            foreach ($page->events as $event) {
                yield $event;
            }
            if ($page->next !== $after && $onPosition !== null) {
                $onPosition($page->next);
            }
            $after = $page->next;
        } while ($waitSeconds > 0 || $page->next < $page->last);
    }

    /**
     * One page of the event log. For a job that runs now and then, and keeps `next` until it runs again.
     *
     * @param list<string> $types Only these types.
     * @throws WheelhouseProblem|WheelhouseUnreachable
     */
    public function eventPage(
        ?int $after = null,
        array $types = [],
        int $waitSeconds = 0,
        ?float $deadlineSeconds = null,
    ): EventPage {
        $query = ['after' => $after, 'types' => $types === [] ? null : $types, 'wait' => $waitSeconds];
        $options = ['query' => $query, 'deadlineSeconds' => $deadlineSeconds, 'waitSeconds' => $waitSeconds];
        $page = $this->send('GET', '/api/v1/events', ...$options)->json();
        return new EventPage(array_map(Event::of(...), $page['events']), $page['next'], $page['last']);
    }

    /**
     * Every item of a paged list, by the path of the list, such as `/api/v1/players`. Reads a page at a time: `limit`
     * in the query is the size of a page, and the deadline is for each page.
     *
     * @param array<string, scalar|list<string>|null> $query
     * @param array<string, string|int> $pathValues
     * @return \Generator<int, array<string, mixed>>
     * @throws WheelhouseProblem|WheelhouseUnreachable
     */
    public function all(
        string $path,
        array $query = [],
        array $pathValues = [],
        ?float $deadlineSeconds = null,
    ): \Generator {
        do {
            $page = $this->request('GET', $path, $pathValues, $query, deadlineSeconds: $deadlineSeconds);
            if (!array_key_exists('next', $page)) {
                throw new \InvalidArgumentException("$path is not a list that comes in pages");
            }
            // The list is the only array of a page.
            foreach (current(array_filter($page, is_array(...))) as $item) {
                yield $item;
            }
            $query['cursor'] = $page['next'];
        } while ($query['cursor'] !== null);
    }

    /**
     * Any operation of the API, by its method and path, as in the API reference.
     *
     * @param array<string, string|int> $pathValues For the placeholders of the path, such as `{playerId}`.
     * @param array<string, scalar|list<string>|null> $query
     * @param array<string, mixed>|null $body An object inside it that is empty is `new \stdClass()`: an empty array is
     *     a list.
     * @param array<string, string> $headers
     * @return array<string, mixed> The answer.
     * @throws WheelhouseProblem|WheelhouseUnreachable
     */
    public function request(
        string $method,
        string $path,
        array $pathValues = [],
        array $query = [],
        ?array $body = null,
        array $headers = [],
        ?string $idempotencyKey = null,
        ?float $deadlineSeconds = null,
    ): array {
        $options = compact('pathValues', 'query', 'body', 'headers', 'idempotencyKey', 'deadlineSeconds');
        return $this->send($method, $path, ...$options)->json();
    }

    /** Without the token. */
    public function __debugInfo(): array
    {
        return ['url' => $this->url];
    }

    /** A queue that keeps the client would keep the token. */
    public function __serialize(): array
    {
        throw new \LogicException('A client has a token, and is not serialized.');
    }

    private function send(
        string $method,
        string $path,
        array $pathValues = [],
        array $query = [],
        ?array $body = null,
        array $headers = [],
        ?string $idempotencyKey = null,
        ?float $deadlineSeconds = null,
        int $waitSeconds = 0,
    ): Response {
        $takesKey = self::takesKey("$method $path");
        $key = $idempotencyKey ?? ($takesKey ? bin2hex(random_bytes(16)) : null);
        if ($key !== null && !self::isVisibleAscii($key)) {
            throw new \InvalidArgumentException('An idempotency key has visible ASCII characters only.');
        }
        $ownHeaders = [
            'Accept' => 'application/json',
            'Authorization' => $this->token,
            'User-Agent' => 'wheelhouse-client-php',
            'Content-Type' => $body === null ? null : 'application/json',
            'Idempotency-Key' => $key,
        ];
        $request = new Request(
            method: $method,
            url: $this->url . self::addressOf($path, $pathValues, $query),
            headers: self::checked($headers + array_filter($ownHeaders, is_string(...))),
            body: $body === null ? null : self::encode($body),
            idempotencyKey: $key,
            // A new game link has no further effect: the old one stays valid.
            isRepeatable: $takesKey || in_array($method, ['GET', 'PUT', 'DELETE'], true) || $path === '/api/game/sso',
        );
        $deadline = $deadlineSeconds ?? $this->deadlineSeconds;
        return $this->sender->send($request, $deadline, $this->attemptSeconds + $waitSeconds);
    }

    /** The path of the operation may be filled in already. */
    private static function takesKey(string $operation): bool
    {
        $patterns = preg_replace('/\{\w+\}/', '[^/]+', KeyedOperations::LIST);
        return preg_match('~^(' . implode('|', $patterns) . ')(\?|\z)~', $operation) === 1;
    }

    private static function isVisibleAscii(#[\SensitiveParameter] string $text): bool
    {
        return preg_match('/^[!-~]+\z/', $text) === 1;
    }

    /**
     * @param array<string, string> $headers
     * @return array<string, string>
     */
    private static function checked(#[\SensitiveParameter] array $headers): array
    {
        foreach ($headers as $name => $value) {
            if (preg_match('/[\x00-\x1f\x7f]/', $name . $value) === 1) {
                throw new \InvalidArgumentException('A header has no control characters.');
            }
        }
        return $headers;
    }

    /** @param array<string, mixed> $body */
    private static function encode(array $body): string
    {
        try {
            $options = JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION;
            return json_encode($body === [] ? new \stdClass() : $body, $options);
        } catch (\JsonException $error) {
            throw new \InvalidArgumentException("The body can't be JSON: {$error->getMessage()}", 0, $error);
        }
    }

    /**
     * Puts the parameters into the address. Lists are joined by commas; what is null is left out.
     *
     * @param array<string, string|int> $pathValues
     * @param array<string, scalar|list<string>|null> $query
     */
    private static function addressOf(string $path, array $pathValues, array $query): string
    {
        if (!str_starts_with($path, '/') || !self::isVisibleAscii($path)) {
            $message = 'A path begins with a slash, and values for its placeholders are in pathValues.';
            throw new \InvalidArgumentException($message);
        }
        $fill = static function (array $found) use ($pathValues): string {
            $value = (string) ($pathValues[$found[1]] ?? '');
            if ($value === '') {
                throw new \InvalidArgumentException("pathValues has no $found[1]");
            }
            return rawurlencode($value);
        };
        $filled = preg_replace_callback('/\{(\w+)\}/', $fill, $path);
        $texts = array_map(
            static fn ($value) => match (true) {
                is_bool($value) => $value ? 'true' : 'false',
                is_array($value) => implode(',', $value),
                default => $value,
            },
            $query,
        );
        $search = http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
        return $search === '' ? $filled : "$filled?$search";
    }
}
