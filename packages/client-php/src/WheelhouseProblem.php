<?php

declare(strict_types=1);

namespace Wheelhouse\Client;

/** Wheelhouse refused the request. Decide on `problemCode`; `ProblemCode` lists those that this version knows. */
final class WheelhouseProblem extends WheelhouseException
{
    public readonly string $problemCode;
    public readonly int $status;
    public readonly string $title;
    public readonly string $detail;
    /** Names the request in the server's log. */
    public readonly string $requestId;
    /** Whether the same request may succeed later, unchanged. */
    public readonly bool $retryable;
    /** @var list<array{pointer: string, detail: string}> The wrong fields; empty where the problem is another one. */
    public readonly array $errors;

    /**
     * @param array<string, mixed> $document The whole answer. Some codes have fields of their own, such as
     *     `resumeAfter` of `events_expired`.
     * @param string|null $idempotencyKey The key of the call, to repeat it with.
     */
    public function __construct(public readonly array $document, public readonly ?string $idempotencyKey = null)
    {
        $this->problemCode = $document['code'];
        $this->status = $document['status'] ?? 0;
        $this->title = $document['title'] ?? '';
        $this->detail = $document['detail'] ?? '';
        $this->requestId = $document['requestId'] ?? '';
        $this->retryable = $document['retryable'];
        $this->errors = $document['errors'] ?? [];
        parent::__construct("$this->problemCode: $this->detail");
    }
}
