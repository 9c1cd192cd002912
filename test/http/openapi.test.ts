// The OpenAPI document as seen by linters, client generators and other languages.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { Compile } from 'typebox/schema'
import { sampleOf } from '../../src/events/catalogue-page.ts'
import { loggedEventTypes } from '../../src/events/event-types.ts'
import { makeFolder, makeServer, node, repository, suiteLifetime } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const lifetime = suiteLifetime()
let document: any
let file: string
before(async () => {
  const server = await makeServer(lifetime)
  const text = await (await fetch(`${server.url}/openapi.json`)).text()
  document = JSON.parse(text)
  file = join(makeFolder(lifetime), 'openapi.json')
  writeFileSync(file, text)
})

/** Runs a program in the folder of the document and returns its output. */
function run(command: string, args: string[]): string {
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    NO_COLOR: '1',
  }
  const done = spawnSync(command, args, { cwd: join(file, '..'), encoding: 'utf8', env })
  assert.equal(done.status, 0, `${command} ${args.join(' ')}\n${done.stdout}${done.stderr}`)
  return done.stdout + done.stderr
}

type Operation = Record<string, any>
function operations(): [string, Operation][] {
  return Object.values<Record<string, Operation>>(document.paths).flatMap((methods) =>
    Object.values(methods).map((one): [string, Operation] => [one.operationId, one]),
  )
}

/** Every object in the document, with a pointer to it. */
function* objectsIn(value: unknown, pointer = ''): Generator<[string, Record<string, any>]> {
  if (typeof value !== 'object' || value === null) return
  yield [pointer, value]
  for (const [name, one] of Object.entries(value)) yield* objectsIn(one, `${pointer}/${name}`)
}

/** Packages that `npm run test:landing` and `npm run test:all` install. */
const tools = join(repository, 'test/openapi-tools', 'node_modules')

describe('linters report nothing', () => {
  test('Redocly with its recommended rules', () => {
    const output = run(join(repository, 'node_modules', '.bin', 'redocly'), [
      'lint',
      file,
      '--extends',
      'recommended',
      '--format',
      'stylish',
    ])
    assert.match(output, /Your API description is valid/)
    assert.doesNotMatch(output, /warning/i)
  })

  test('Spectral with its OpenAPI rules', onLanding, () => {
    const rules = join(file, '..', 'spectral.json')
    writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas'] }))
    const output = run(join(tools, '.bin', 'spectral'), [
      'lint',
      file,
      '--ruleset',
      rules,
      '--fail-severity',
      'hint',
    ])
    assert.match(output, /No results with a severity of 'hint' or higher found/)
  })
})

test('both merchant operations document their fields, the header format and every refusal', () => {
  assert.match(document.openapi, /^3\.1/)
  for (const path of ['/api/player/increaseSpin', '/api/game/sso']) {
    const operation = document.paths[path].post
    assert.deepEqual(operation.security, [{ serviceToken: [] }])
    for (const status of ['200', '400', '401', '403', '408', '413', '415', '422', '429', '500', '503'])
      assert.deepEqual(Object.keys(operation.responses[status].content), [
        status === '200' ? 'application/json' : 'application/problem+json',
      ])
  }
})

test('every operation has a unique camel-case id, and every response a description', () => {
  const names = operations().map(([name]) => name)
  assert.equal(new Set(names).size, names.length)
  for (const [name, { responses, description }] of operations()) {
    assert.match(name, /^[a-z][A-Za-z0-9]+$/)
    assert.ok(description.length > 0)
    for (const [status, response] of Object.entries<any>(responses)) {
      assert.ok(response.description.length > 0, `${name} ${status}`)
      assert.notEqual(response.description, 'Default Response', `${name} ${status}`)
    }
  }
})

test('every request body and every response with several fields has a named schema', () => {
  for (const [name, { requestBody, responses }] of operations())
    for (const { content = {} } of [requestBody ?? {}, ...Object.values<any>(responses)])
      for (const { schema } of Object.values<any>(content))
        assert.equal(schema.properties, undefined, `${name} has an unnamed schema`)
  const known = Object.keys(document.components.schemas)
  for (const name of [
    'Player',
    'LedgerEntry',
    'Grant',
    'Prize',
    'Play',
    'Wheel',
    'WheelDocument',
    'Webhook',
    'Event',
    'Problem',
    'ServiceToken',
    'Merchant',
    'PlayerPage',
  ])
    assert.ok(known.includes(name), name)
})

test('responses document their headers', () => {
  const headersOf = (name: string, status: string) =>
    Object.keys(operations().find(([one]) => one === name)?.[1].responses[status].headers)
  for (const [name, { responses }] of operations())
    for (const status of Object.keys(responses)) {
      assert.ok(headersOf(name, status).includes('X-Request-Id'), `${name} ${status}`)
      assert.equal(
        headersOf(name, status).includes('Retry-After'),
        /^(429|503)$/.test(status),
        `${name} ${status}`,
      )
    }
  const quota = ['RateLimit', 'RateLimit-Policy']
  const mode = ['Wheelhouse-Mode', 'Wheelhouse-Time']
  const keyed = ['X-Request-Id', ...quota, 'Idempotent-Replayed', ...mode]
  assert.deepEqual(headersOf('increaseSpin', '200'), keyed)
  assert.deepEqual(headersOf('increaseSpin', '401'), ['X-Request-Id', 'WWW-Authenticate'])
  assert.deepEqual(headersOf('createGameLink', '200'), ['X-Request-Id', ...quota, ...mode])
  for (const name of ['readWheel', 'saveWheel', 'readMerchant', 'changeMerchant'])
    assert.deepEqual(headersOf(name, '200'), ['X-Request-Id', ...quota, 'ETag', ...mode], name)
  assert.deepEqual(headersOf('signIn', '200'), ['X-Request-Id'])
})

test('query numbers are numbers, and lists are comma-separated', () => {
  const parameters = operations().flatMap(([, operation]): any[] => operation.parameters ?? [])
  const named = (...names: string[]) =>
    parameters.filter((one) => one.in !== 'header' && names.includes(one.name))
  for (const { name, schema } of named('limit', 'after', 'before', 'seq', 'wait', 'version', 'staffId'))
    assert.equal(schema.type, 'integer', name)
  for (const { name, schema } of parameters.filter((one) => one.in !== 'header'))
    assert.doesNotMatch(
      schema.pattern ?? '',
      /^\^\[[01]-9\](\[0-9\])?(\{[\d,]+\})?\$$/,
      `${name} is a number`,
    )
  for (const { style, explode } of named('types')) assert.deepEqual([style, explode], ['form', false])
})

test('events are discriminated by type and documented as webhooks', () => {
  const { Event } = document.components.schemas
  assert.equal(Event.discriminator.propertyName, 'type')
  assert.deepEqual(Object.keys(Event.discriminator.mapping), [...loggedEventTypes])
  const mapped = Object.entries<string>(Event.discriminator.mapping)
  assert.deepEqual(
    Event.oneOf.map((one: any) => one.$ref),
    mapped.map(([, reference]) => reference),
  )
  for (const [type, reference] of mapped) {
    const schema = document.components.schemas[reference.split('/').at(-1) ?? '']
    assert.equal(schema.properties.type.enum[0], type)
  }
  const { post } = document.webhooks.event
  const [Known, Unknown, Test] = ['Event', 'UnknownEvent', 'WebhookTestEvent'].map((name) => ({
    $ref: `#/components/schemas/${name}`,
  }))
  assert.deepEqual(post.requestBody.content['application/json'].schema, {
    oneOf: [{ anyOf: [Known, Unknown] }, Test],
  })
  assert.deepEqual(
    post.parameters.map((one: any) => one.name),
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  )
})

test('a validator made from the document accepts events, states and codes of a later version', () => {
  const { components, webhooks } = document
  const accepts = (schema: object) => {
    const validator = Compile({ components, ...schema } as never)
    return (value: unknown) => validator.Check(value)
  }
  const isA = (name: string) => accepts({ $ref: `#/components/schemas/${name}` })
  const event = (type: string, data: object) => {
    const base = { id: 'evt_1', seq: 7, at: '2026-11-18T09:00:00.000Z', merchant: 'acme' }
    return { ...base, type, data }
  }
  const won = sampleOf('prize.won') as { prize?: object }
  const isPage = isA('ReadEventsAnswer')
  const isSent = accepts(webhooks.event.post.requestBody.content['application/json'].schema)
  for (const [is, wrap] of [
    [isPage, (one: object) => ({ events: [one], next: 7, last: 7 })],
    [isSent, (one: object) => one],
  ] as const) {
    assert.equal(is(wrap(event('prize.won', won))), true)
    assert.equal(is(wrap(event('prize.won', { ...won, kind: 'hologram' }))), true)
    assert.equal(is(wrap(event('coupon.sent', { coupon: 'A1' }))), true)
    // An event whose type is listed must be as the document says.
    assert.equal(is(wrap(event('prize.won', {}))), false)
    assert.equal(is(wrap(event('prize.won', { ...won, kind: 7 }))), false)
  }
  const problem = { type: 'https://wheel.example/docs/errors', title: '', status: 422, detail: '' }
  const refused = { ...problem, requestId: 'r', retryable: false }
  assert.equal(isA('Problem')({ ...refused, code: 'moon_full' }), true)
  assert.equal(isA('Problem')({ ...refused, code: 7 }), false)
  const states = components.schemas.Prize.properties.state
  assert.equal(accepts(states)('framed'), true)
  // What we receive is not open: an unknown value is refused.
  assert.equal(isA('IssueTokenBody')({ name: 'shop', scopes: ['everything'] }), false)
  assert.equal(isA('IssueTokenBody')({ name: 'shop', scopes: ['spins'] }), true)
})

describe('every pattern with its examples', () => {
  const patterns = () =>
    [...objectsIn(document)].flatMap(([pointer, one]) => {
      const schema = typeof one.schema === 'object' && one.schema !== null ? one.schema : one
      if (typeof schema.pattern !== 'string') return []
      const texts = [...(schema.examples ?? []), ...(one.example === undefined ? [] : [one.example])]
      return [{ pointer, pattern: schema.pattern as string, examples: texts as string[] }]
    })

  test('works in JavaScript with and without flags', () => {
    assert.ok(patterns().length > 100)
    assert.ok(patterns().filter(({ examples }) => examples.length > 0).length > 20)
    for (const { pointer, pattern, examples } of patterns())
      for (const flags of ['', 'u'])
        for (const example of examples) assert.match(example, new RegExp(pattern, flags), pointer)
    for (const { pattern } of patterns()) assert.doesNotMatch(pattern, /\\[pPkdw]/)
  })

  test('works in Python', (t) => {
    if (spawnSync('python3', ['--version']).status !== 0) return t.skip('there is no Python here')
    const input = join(file, '..', 'patterns.json')
    writeFileSync(input, JSON.stringify(patterns()))
    const script = `
import json, re, sys
for one in json.load(open(sys.argv[1])):
    for example in one['examples'] or ['']:
        if re.search(one['pattern'], example) is None and one['examples']:
            sys.exit(one['pointer'] + ' refuses ' + example)`
    run('python3', ['-c', script, input])
  })

  test('for a player id allows exactly what the server allows', () => {
    const { pattern } = document.components.schemas.IncreaseSpinBody.properties.playerId
    for (const id of ['alice', 'a', 'a b', 'émile', '李', '😀', '😀 😀', 'a/b', '~'])
      assert.match(id, new RegExp(pattern), id)
    for (const id of ['', ' a', 'a ', 'a\nb', '\u0000', 'a\u007f', 'a\u0085b', '\u00a0a'])
      assert.doesNotMatch(id, new RegExp(pattern), JSON.stringify(id))
  })
})

describe('generators produce types with these names that type-check', onLanding, () => {
  const olderTypeScript = join(tools, 'typescript', 'bin', 'tsc')
  const compile = (folder: string, use: string) => {
    writeFileSync(join(folder, 'use.ts'), use)
    const types = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable']
    // The types of the language itself are not ours to check.
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler']
    run(node, [olderTypeScript, '--skipDefaultLibCheck', ...types, ...modules, join(folder, 'use.ts')])
  }
  /** Types are right only if a wrong use of them is refused. */
  const uses = (prelude: string) => `${prelude}
const grant: Grant = { playerId: 'alice', spinNumber: 5 }
// @ts-expect-error a field that there is not
const wrong: Grant = { playerId: 'alice', spinNumber: 5, spins: 5 }
export const nameOf = (page: PlayerPage): string[] => page.players.map((player: Player) => player.playerId)
export function codeOf(event: Event): string {
  return event.type === 'prize.won' ? event.data.playId : event.type === 'wheel.paused' ? event.data.wheel : event.id
}
export const wait = (problem: Problem): boolean => problem.retryable && problem.code === 'rate_limited'
export { grant, wrong }
`

  test('openapi-typescript', (t) => {
    const folder = makeFolder(t)
    const program = join(tools, 'openapi-typescript', 'bin', 'cli.js')
    run(node, [program, file, '-o', join(folder, 'types.d.ts')])
    const names = ['Grant', 'PlayerPage', 'Player', 'Event', 'Problem']
    compile(
      folder,
      uses(`import type { components, operations, webhooks } from './types.d.ts'
type Schemas = components['schemas']
${names.map((name) => `type ${name} = Schemas['${name}']`).join('\n')}
export const limit: NonNullable<operations['listPlayers']['parameters']['query']>['limit'] = 5
export type Sent = webhooks['event']['post']['requestBody']['content']['application/json']
export const received = (event: Event): Sent => event
export const later: Sent = { id: 'evt_1', seq: 1, type: 'coupon.sent', at: '', merchant: 'acme', data: {} }`),
    )
  })

  test('@hey-api/openapi-ts', (t) => {
    const folder = makeFolder(t)
    const program = join(tools, '@hey-api', 'openapi-ts', 'dist', 'run.mjs')
    run(node, [program, '-i', file, '-o', join(folder, 'client')])
    compile(
      folder,
      uses(`import { createClient } from './client/client'
import { claimPrize, listPlayers } from './client/sdk.gen'
import type { Event, Grant, Player, PlayerPage, Problem } from './client/types.gen'
const client = createClient({ baseUrl: 'http://127.0.0.1:8080', headers: { Authorization: 'a:b' } })
export async function first(): Promise<Player | undefined> {
  const { data } = await listPlayers({ client, query: { limit: 5, blocked: true } })
  await claimPrize({ client, path: { playId: '0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71' } })
  return data?.players[0]
}`),
    )
  })
})
