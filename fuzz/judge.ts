import { Compile } from 'typebox/schema'
import type { Schema } from './api-document.ts'
import type { FuzzRequest } from './requests.ts'

export type FuzzAnswer = {
  status: number
  type: string
  text: string
  /** By their names in lower case. */
  headers: Record<string, string | string[] | undefined>
}

const validators = new WeakMap<
  object,
  { Check: (value: unknown) => boolean; Errors: (value: unknown) => unknown }
>()

/** The problems with an answer: deviations from the document, and anything that no answer may reveal. */
export function problemsWith(
  request: FuzzRequest,
  answer: FuzzAnswer,
  secrets: { everywhere: readonly string[]; foreign: string; sent: readonly string[] },
): string[] {
  const { operation, caller } = request
  const problems: string[] = []
  const declared = operation.responses[String(answer.status)]
  // These refusals come before the request is matched to an operation.
  const isRoutingError = answer.status === 404 || answer.status === 405 || answer.status === 431
  if (declared === undefined && !isRoutingError) problems.push(`status ${answer.status} is not declared`)
  const media = Object.entries(declared?.content ?? {}).find(([type]) => answer.type.startsWith(type))
  if (declared !== undefined && media === undefined)
    problems.push(`type ${answer.type} is not declared for ${answer.status}`)
  if (answer.status >= 400 && !answer.type.startsWith('application/problem+json'))
    problems.push(`a refusal of type ${answer.type}`)
  if (answer.status >= 500 && answer.status !== 503) problems.push(`status ${answer.status}`)
  if (/^application\/(problem\+)?json/.test(answer.type))
    problems.push(...shapeProblems(answer.text, mediaSchema(request, media?.[1].schema)))
  if (declared !== undefined) problems.push(...headerProblems(answer, declared.headers))
  const isAuthorized = caller === 'own' || caller === 'foreign' || operation.credential === 'none'
  const isRefused =
    operation.credential === 'session'
      ? answer.status >= 400
      : answer.status === 401 || isRefusedBeforeAuthentication(answer.status)
  if (!isAuthorized && !isRefused) problems.push(`accepted without a credential: ${answer.status}`)
  // Values that the request itself contained may be repeated in the answer.
  const revealed = secrets.sent.reduce((text, value) => text.replaceAll(value, ''), answer.text)
  if (caller !== 'own' && operation.credential !== 'none' && revealed.includes(secrets.foreign))
    problems.push('reveals data of another merchant')
  for (const secret of secrets.everywhere) if (answer.text.includes(secret)) problems.push('reveals a secret')
  const leak = internals.exec(answer.text)
  if (leak !== null) problems.push(`reveals internals: ${leak[0]}`)
  return problems
}

const checkedHeaders = [
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'idempotent-replayed',
  'etag',
  'www-authenticate',
]

/** Headers that were sent but not declared, or declared as required and missing. */
function headerProblems(
  { status, headers }: FuzzAnswer,
  declared: Record<string, { required?: boolean }> = {},
): string[] {
  const names = Object.keys(declared).map((name) => name.toLowerCase())
  const missing = Object.entries(declared).filter(
    ([name, { required }]) => required === true && headers[name.toLowerCase()] === undefined,
  )
  return [
    ...checkedHeaders
      .filter((name) => headers[name] !== undefined && !names.includes(name))
      .map((name) => `header ${name} is not declared for ${status}`),
    ...missing.map(([name]) => `header ${name} is missing`),
  ]
}

/** With `fields`, the caller asked for fewer fields than the schema requires. */
function mediaSchema({ path }: FuzzRequest, schema: Schema | undefined): Schema | undefined {
  return path.includes('fields=') ? undefined : schema
}

/** An unknown path, an oversized header and too many failures are refused before the credential is checked. */
function isRefusedBeforeAuthentication(status: number): boolean {
  return [400, 404, 405, 429, 431, 503].includes(status)
}

/** SQL, messages of the driver, and stack traces. */
const internals =
  /\b(insert into|delete from|select .{1,80} from|update \w+ set)\s|syntax error at|relation "|violates .* constraint|duplicate key value|invalid input syntax|pg_catalog|node_modules|\n\s+at .*\.[jt]s:\d/i

function shapeProblems(text: string, schema: Schema | undefined): string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return ['the body is not JSON']
  }
  if (schema === undefined) return []
  const known = validators.get(schema)
  const validator = known ?? Compile(schema as never)
  if (known === undefined) validators.set(schema, validator)
  return validator.Check(value)
    ? []
    : [`the body does not match its schema: ${JSON.stringify(validator.Errors(value)).slice(0, 300)}`]
}
