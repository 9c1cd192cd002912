<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** A webhook that Wheelhouse did not send, or not lately. Answer it with 401, and do nothing else with it. */
final class WebhookRejected extends WheelhouseException
{
    /**
     * @param 'headers_missing'|'timestamp_out_of_range'|'signature_mismatch'|'body_malformed' $reason
     */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
