<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** Any error of this client that is not a mistake in the call. */
abstract class WheelhouseException extends \RuntimeException
{
}
