<?php

// Makes the calls that a test writes to its input, one JSON document a line, with the client for PHP.

declare(strict_types=1);

use Wheelhouse\Client\Event;
use Wheelhouse\Client\Retry;
use Wheelhouse\Client\Webhook;
use Wheelhouse\Client\WebhookRejected;
use Wheelhouse\Client\Wheelhouse;
use Wheelhouse\Client\WheelhouseProblem;
use Wheelhouse\Client\WheelhouseUnreachable;

require getenv('AUTOLOAD');

// A warning or a deprecation is a failure.
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) !== 0) {
        throw new ErrorException($message, 0, $level, $file, $line);
    }
    return true;
});

final class Driver
{
    /** @var list<array{string, float, int}> */
    public array $retries = [];
    private Wheelhouse $client;

    public function connect(
        string $url,
        #[SensitiveParameter] string $token,
        float $deadlineSeconds = 30,
        float $attemptSeconds = 10,
    ): void {
        $onRetry = function (Retry $retry): void {
            $this->retries[] = [self::nameOf($retry->error), $retry->waitSeconds, $retry->attempts];
        };
        $this->client = new Wheelhouse($url, $token, $deadlineSeconds, $attemptSeconds, $onRetry);
    }

    public function grants(array $spinNumbers): void
    {
        foreach ($spinNumbers as $spins) {
            $this->client->grant('player-' . $spins % 100, $spins);
        }
    }

    public function prize(string $action, string $playId): array
    {
        return $this->client->{"{$action}Prize"}($playId);
    }

    public function all(mixed ...$args): array
    {
        return iterator_to_array($this->client->all(...$args));
    }

    public function events(int $count, mixed ...$options): array
    {
        $positions = [];
        $events = [];
        $onPosition = static function (int $position) use (&$positions): void {
            $positions[] = $position;
        };
        foreach ($this->client->events(...$options, onPosition: $onPosition) as $event) {
            $events[] = self::shown($event);
            if (count($events) === $count) {
                break;
            }
        }
        return ['events' => $events, 'positions' => $positions];
    }

    public function eventPage(mixed ...$options): array
    {
        $page = $this->client->eventPage(...$options);
        return ['events' => array_map(self::shown(...), $page->events), 'next' => $page->next, 'last' => $page->last];
    }

    public function verify(array $headers, string $body, string|array $secrets, mixed ...$options): array
    {
        return self::shown(Webhook::verify($headers, $body, $secrets, ...$options));
    }

    public function describe(): string
    {
        try {
            return print_r($this->client, true) . serialize($this->client);
        } catch (LogicException $error) {
            return print_r($this->client, true) . $error;
        }
    }

    /** The others are as the client has them. */
    public function __call(string $name, array $args): mixed
    {
        return $this->client->$name(...$args);
    }

    public static function nameOf(object $error): string
    {
        return substr(strrchr('\\' . $error::class, '\\'), 1);
    }

    private static function shown(Event $event): array
    {
        return ['at' => (float) $event->at->format('U.u')] + get_object_vars($event);
    }
}

function shownError(Throwable $error): array
{
    $fields = ['type' => Driver::nameOf($error), 'message' => $error->getMessage(), 'trace' => (string) $error];
    return match (true) {
        $error instanceof WheelhouseProblem => $fields + [
            'code' => $error->problemCode,
            'status' => $error->status,
            'retryable' => $error->retryable,
            'requestId' => $error->requestId,
            'errors' => $error->errors,
            'key' => $error->idempotencyKey,
            'document' => $error->document,
        ],
        $error instanceof WheelhouseUnreachable => $fields + ['status' => $error->status, 'key' => $error->idempotencyKey],
        $error instanceof WebhookRejected => $fields + ['reason' => $error->reason],
        $error instanceof InvalidArgumentException, $error instanceof TypeError => ['type' => 'mistake'] + $fields,
        default => $fields,
    };
}

$driver = new Driver();
while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line, true);
    $driver->retries = [];
    try {
        $answer = ['value' => $driver->{$call['name']}(...$call['args'])];
    } catch (Throwable $error) {
        $answer = ['error' => shownError($error)];
    }
    echo json_encode($answer + ['retries' => $driver->retries], JSON_THROW_ON_ERROR), "\n";
}
