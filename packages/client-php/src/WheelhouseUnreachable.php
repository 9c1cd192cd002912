<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/**
 * No answer of Wheelhouse arrived before the deadline, or something on the way answered instead. Whether the change was
 * made is not known: repeat the call with the same `idempotencyKey`.
 */
final class WheelhouseUnreachable extends WheelhouseException
{
    /** @param int|null $status The status, where something on the way answered. */
    public function __construct(
        string $message,
        public readonly ?int $status = null,
        public readonly ?string $idempotencyKey = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
