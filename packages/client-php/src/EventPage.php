<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** A part of the event log. */
final class EventPage
{
    /**
     * @param list<Event> $events
     * @param int $next Pass it as `after` for the next page. It also moves past events of other types.
     * @param int $last The number of the newest event. While `next` is less, there is more to read.
     */
    public function __construct(
        public readonly array $events,
        public readonly int $next,
        public readonly int $last,
    ) {
    }
}
