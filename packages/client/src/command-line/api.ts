import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Method } from '../operations.ts'
import { type Command, connect, jsonOption, type Options, serverOption, UsageError } from './command.ts'
import { note, printAnswer } from './output.ts'

const methods: readonly string[] = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] satisfies Method[]
const fileTypes: Record<string, string> = { '.csv': 'text/csv', '.ndjson': 'application/x-ndjson' }
/** A simulation may take a while, and a file of codes may be large. */
const patienceMs = 60_000
const fileMs = 600_000

export const api: Command = {
  usage:
    'api <method> <path> [<name>=<value>…] [--data <file>] [--pick <field>] [--key <key>] [--if-match <revision>] [--server <url>] [--json]',
  summary: 'Call any operation that answers with JSON, and print the answer.',
  details: `The path is as in the API reference, /docs of the server, without /api/v1 in front: wheels/main/pause.
<name>=<value> is a field of the body, or of the query with GET, DELETE and --data. The value is a text;
<name>:=<value> gives it as JSON, such as a number, true or null. --data sends a file as the body: JSON, .csv or
.ndjson. --pick prints one field of the answer. --key is the Idempotency-Key.`,
  options: {
    ...serverOption,
    ...jsonOption,
    data: { type: 'string' },
    pick: { type: 'string' },
    key: { type: 'string' },
    'if-match': { type: 'string' },
  },
  async run({ names: [method = '', path = '', ...fields], options }) {
    if (!methods.includes(method) || path === '' || path.includes('{'))
      throw new UsageError(`Name a method (${methods.join(', ')}) and a path, such as wheels/main.`)
    const { data, pick, key, 'if-match': revision } = options as Record<string, string | undefined>
    const deadlineMs = data === undefined ? patienceMs : fileMs
    const answer = await connect(options, { attemptMs: deadlineMs, deadlineMs }).request(
      method as 'GET',
      (path.startsWith('/') ? path : `/api/v1/${path}`) as '/api/v1/wheels',
      inputOf(method, fields, data),
      {
        ...(key === undefined ? {} : { idempotencyKey: key }),
        ...(revision === undefined ? {} : { headers: { 'If-Match': `"${revision}"` } }),
      },
    )
    return printPicked(answer, pick, options)
  },
}

function inputOf(method: string, fields: string[], data: string | undefined): object {
  const given = Object.fromEntries(fields.map(parseField))
  const query = fields.length === 0 ? {} : { query: given }
  if (data !== undefined) return { ...query, body: readBody(data) }
  if (method === 'GET' || method === 'DELETE') return query
  return fields.length === 0 ? {} : { body: given }
}

function readBody(file: string): Blob {
  try {
    return new Blob([readFileSync(file)], { type: fileTypes[extname(file)] ?? 'application/json' })
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`)
  }
}

function parseField(text: string): [name: string, value: unknown] {
  const [, name = '', sign, value = ''] = /^([^:=]+)(:?=)(.*)$/s.exec(text) ?? []
  if (name === '') throw new UsageError(`"${text}" is not <name>=<value>.`)
  if (sign === '=') return [name, value]
  try {
    return [name, JSON.parse(value)]
  } catch {
    throw new UsageError(`The value of ${name} is not JSON.`)
  }
}

function printPicked(answer: object, pick: string | undefined, options: Options): number {
  const picked = pick === undefined ? answer : (answer as Record<string, unknown>)[pick]
  if (picked === undefined) {
    note(`The answer has no field "${pick}".`)
    return 1
  }
  printAnswer(picked, options.json)
  return 0
}
