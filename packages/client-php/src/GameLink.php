<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** A link that opens the game for one player. */
final class GameLink
{
    /** @param string $token The token in the link, which is for the player alone. */
    public function __construct(public readonly string $link, public readonly string $token)
    {
    }
}
