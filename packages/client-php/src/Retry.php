<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** A retry that is about to be made, for your log. */
final class Retry
{
    public function __construct(
        public readonly WheelhouseProblem|WheelhouseUnreachable $error,
        public readonly float $waitSeconds,
        public readonly int $attempts,
    ) {
    }
}
