import type { ApiOperation } from './openapi-types.ts'

/** The answer headers that callers may use. */
const headers = {
  'X-Request-Id': {
    required: true,
    description: 'Identifies this request in the log. Include it when you contact the operator.',
    schema: { type: 'string' },
    example: '5f0e7c3a9b-4e',
  },
  RateLimit: {
    description: 'The remaining quota: `r` requests within the next `t` seconds.',
    schema: { type: 'string' },
    example: '"token";r=994;t=1',
  },
  'RateLimit-Policy': {
    description: 'The quota: `q` requests in `w` seconds.',
    schema: { type: 'string' },
    example: '"token";q=1000;w=1',
  },
  'Retry-After': {
    description: 'Seconds to wait before repeating the request.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'Idempotent-Replayed': {
    description:
      'Present if the key was used before: this is the first answer again, and nothing was changed.',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: {
    description: 'The current revision. Send it as `If-Match` with a change.',
    schema: { type: 'string' },
    example: '"3"',
  },
  'Content-Disposition': {
    description: 'The name of the file.',
    schema: { type: 'string' },
    example: 'attachment; filename="players.csv"',
  },
  'Wheelhouse-Mode': {
    description: 'Only in answers of a test merchant.',
    schema: { type: 'string', enum: ['test'] },
  },
  'Wheelhouse-Time': {
    description: 'The time of the test merchant. Only in its answers.',
    schema: { type: 'string', format: 'date-time' },
    example: '2027-03-28T00:59:30.000Z',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { type: 'string' },
    example: 'ServiceToken realm="wheelhouse"',
  },
} as const

type HeaderName = keyof typeof headers

export const headerComponents: Record<string, object> = headers

/** The headers of an operation's answers of one status, as references. `siblings` are operations on the same path. */
export function answerHeaders(
  status: string,
  operation: ApiOperation,
  siblings: readonly ApiOperation[],
): Record<string, object> {
  const names = Object.keys(headers) as HeaderName[]
  return Object.fromEntries(
    names
      .filter((name) => rules[name]({ status, operation, siblings }))
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
}

type Answer = { status: string; operation: ApiOperation; siblings: readonly ApiOperation[] }

const rules: Record<HeaderName, (answer: Answer) => boolean> = {
  'X-Request-Id': () => true,
  RateLimit: hasQuota,
  'RateLimit-Policy': hasQuota,
  'Retry-After': ({ status }) => status === '429' || status === '503',
  'Idempotent-Replayed': ({ status, operation }) => status === '200' && takes(operation, 'idempotency-key'),
  // A caller that may send a revision must be able to read it.
  ETag: ({ status, operation, siblings }) =>
    status === '200' &&
    siblings.some((one) => takes(one, 'if-match')) &&
    (operation.requestBody === undefined || takes(operation, 'if-match')),
  'Content-Disposition': ({ status, operation }) => status === '200' && operation.tags.includes('Exports'),
  'Wheelhouse-Mode': hasQuota,
  'Wheelhouse-Time': hasQuota,
  'WWW-Authenticate': ({ status }) => status === '401',
}

/** Service tokens and addresses of browsers have quotas, counted once the caller is known. */
function hasQuota({ status, operation }: Answer): boolean {
  const isOfBrowsers = operation.tags.some((tag) => ['Game', 'Entry', 'Wallet'].includes(tag))
  return (isOfBrowsers || usesToken(operation)) && status !== '408' && (status !== '401' || isOfBrowsers)
}

function usesToken({ security = [] }: ApiOperation): boolean {
  return security.some((one) => Object.hasOwn(one, 'serviceToken'))
}

function takes({ parameters = [] }: ApiOperation, header: string): boolean {
  return parameters.some((one) => one.in === 'header' && one.name === header)
}
