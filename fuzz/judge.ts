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

/** What is wrong with an answer, by the document and by what no answer may ever say. Nothing: it is as it should be. */
export function problemsWith(
  request: FuzzRequest,
  answer: FuzzAnswer,
  secrets: { everywhere: readonly string[]; foreign: string; sent: readonly string[] },
): string[] {
  const { operation, asker } = request
  const problems: string[] = []
  const declared = operation.responses[String(answer.status)]
  // What could not be read as a request to this operation is refused before the operation is known.
  const isElsewhere = answer.status === 404 || answer.status === 405 || answer.status === 431
  if (declared === undefined && !isElsewhere) problems.push(`status ${answer.status} is not declared`)
  const media = Object.entries(declared?.content ?? {}).find(([type]) => answer.type.startsWith(type))
  if (declared !== undefined && media === undefined)
    problems.push(`type ${answer.type} is not declared for ${answer.status}`)
  if (answer.status >= 400 && !answer.type.startsWith('application/problem+json'))
    problems.push(`a refusal of type ${answer.type}`)
  if (answer.status >= 500 && answer.status !== 503) problems.push(`status ${answer.status}`)
  if (/^application\/(problem\+)?json/.test(answer.type))
    problems.push(...shapeProblems(answer.text, mediaSchema(request, media?.[1].schema)))
  if (declared !== undefined) problems.push(...headerProblems(answer, declared.headers))
  const mayEnter = asker === 'own' || asker === 'foreign' || operation.credential === 'none'
  const isShut =
    operation.credential === 'session'
      ? answer.status >= 400
      : answer.status === 401 || isRefusedBefore(answer.status)
  if (!mayEnter && !isShut) problems.push(`let in without a credential: ${answer.status}`)
  // What was sent may come back.
  const told = secrets.sent.reduce((text, value) => text.replaceAll(value, ''), answer.text)
  if (asker !== 'own' && operation.credential !== 'none' && told.includes(secrets.foreign))
    problems.push("shows something of another merchant's")
  for (const secret of secrets.everywhere) if (answer.text.includes(secret)) problems.push('shows a secret')
  const leak = innards.exec(answer.text)
  if (leak !== null) problems.push(`shows innards: ${leak[0]}`)
  return problems
}

const toldHeaders = [
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'idempotent-replayed',
  'etag',
  'www-authenticate',
]

/** Headers that were told and not declared, or declared as always there and missing. */
function headerProblems(
  { status, headers }: FuzzAnswer,
  declared: Record<string, { required?: boolean }> = {},
): string[] {
  const names = Object.keys(declared).map((name) => name.toLowerCase())
  const untold = Object.entries(declared).filter(
    ([name, { required }]) => required === true && headers[name.toLowerCase()] === undefined,
  )
  return [
    ...toldHeaders
      .filter((name) => headers[name] !== undefined && !names.includes(name))
      .map((name) => `header ${name} is not declared for ${status}`),
    ...untold.map(([name]) => `header ${name} is missing`),
  ]
}

/** With `fields`, the caller has asked for less than the schema requires. */
function mediaSchema({ path }: FuzzRequest, schema: Schema | undefined): Schema | undefined {
  return path.includes('fields=') ? undefined : schema
}

/** A path that leads nowhere, a header too large and too many failures are seen before the credential. */
function isRefusedBefore(status: number): boolean {
  return [400, 404, 405, 429, 431, 503].includes(status)
}

/** SQL, the driver's words, and stacks. */
const innards =
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
    : [`the body does not fit: ${JSON.stringify(validator.Errors(value)).slice(0, 300)}`]
}
