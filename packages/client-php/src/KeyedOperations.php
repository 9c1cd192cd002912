<?php

// Made from the code of the server by `npm run client:types`. Do not edit.

declare(strict_types=1);

namespace Wheelhouse\Client;

/** The operations that recognise a repeat by its idempotency key. */
final class KeyedOperations
{
    public const LIST = [
        'POST /api/player/increaseSpin',
        'POST /api/v1/players/{playerId}/corrections',
        'POST /api/v1/grant-batches',
        'POST /api/v1/grants',
        'POST /api/v1/players/{playerId}/grants',
        'POST /api/v1/links',
        'PUT /api/v1/prizes/{playId}/claim',
        'PUT /api/v1/prizes/{playId}/redemption',
        'PUT /api/v1/prizes/{playId}/cancellation',
        'PUT /api/v1/prizes/{playId}/redemption-reversal',
        'POST /api/v1/webhooks',
        'POST /api/v1/webhooks/{webhook}/resend',
    ];
}
