<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** Spins that a player got. */
final class Grant
{
    /**
     * @param int $spinCount The spins that the player can use now.
     * @param bool $replayed Whether the grant already existed.
     */
    public function __construct(
        public readonly string $playerId,
        public readonly int $spinCount,
        public readonly bool $replayed,
    ) {
    }
}
