<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** What a transport brought back. */
final class Response
{
    /** @var array<string, string> By names in lower case. */
    public readonly array $headers;

    /** @param list<string> $headerLines Such as `Retry-After: 1`; other lines are left out. */
    public function __construct(public readonly int $status, array $headerLines, public readonly string $body)
    {
        $headers = [];
        foreach ($headerLines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => null];
            if ($value !== null) {
                $headers[strtolower($name)] = trim($value);
            }
        }
        $this->headers = $headers;
    }

    /** @return array<string, mixed>|null The fields of the JSON object in the body. */
    public function json(): ?array
    {
        $body = json_decode($this->body, true);
        return is_array($body) && str_starts_with(ltrim($this->body), '{') ? $body : null;
    }

    public function isSuccess(): bool
    {
        return $this->status >= 200 && $this->status < 300;
    }
}
