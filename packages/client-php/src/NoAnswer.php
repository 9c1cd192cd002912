<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** A transport got no answer, or a part of one. The client turns it into `WheelhouseUnreachable` after its retries. */
final class NoAnswer extends WheelhouseException
{
}
