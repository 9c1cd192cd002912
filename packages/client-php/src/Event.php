<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** Something that happened, told apart by `type`. A newer server may send other types and data: pass over them. */
final class Event
{
    /**
     * @param string $id The permanent id of the event. A receiver that gets an event twice recognises it by this id.
     * @param int $seq Its number among the events of the merchant: 1, 2, 3 … without a gap. 0 for a test event.
     * @param string $type `EventType` lists those that this version knows.
     * @param string $merchant The id of the merchant.
     * @param array<string, mixed> $data Its fields depend on the type.
     */
    public function __construct(
        public readonly string $id,
        public readonly int $seq,
        public readonly string $type,
        public readonly \DateTimeImmutable $at,
        public readonly string $merchant,
        public readonly array $data,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $fields
     */
    public static function of(array $fields): self
    {
        $at = new \DateTimeImmutable($fields['at']);
        return new self($fields['id'], $fields['seq'], $fields['type'], $at, $fields['merchant'], $fields['data']);
    }
}
