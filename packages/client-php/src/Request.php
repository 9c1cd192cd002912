<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** A request as a transport sends it. */
final class Request
{
    /**
     * @param array<string, string> $headers
     * @param bool $isRepeatable Whether sending it again has no further effect.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        #[\SensitiveParameter] public readonly array $headers,
        public readonly ?string $body,
        public readonly ?string $idempotencyKey,
        public readonly bool $isRepeatable,
    ) {
    }

    /** @return list<string> */
    public function headerLines(): array
    {
        return array_map(static fn ($name, $value) => "$name: $value", array_keys($this->headers), $this->headers);
    }

    /** For messages. */
    public function name(): string
    {
        return $this->method . ' ' . parse_url($this->url, PHP_URL_PATH);
    }
}
