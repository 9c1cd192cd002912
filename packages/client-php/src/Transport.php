<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** Sends one request, without any retry and without following redirects, which would take the token elsewhere. */
interface Transport
{
    /** @throws NoAnswer if no whole answer arrived in this time */
    public function send(Request $request, float $timeoutSeconds): Response;
}
