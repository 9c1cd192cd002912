// The bodies of increaseSpin, sso and plays are described once: the framework and the fast path both follow the schema.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { type TObject, Type } from 'typebox'
import { GameLinkBody, IncreaseSpinBody, PlayBody } from '../../src/http/answers/shapes.ts'
import { bodyReader } from '../../src/http/transport/body.ts'
import { lazyValidators } from '../../src/http/transport/lazy-compilers.ts'
import { bodySchemaAt } from '../../src/http/transport/strict-requests.ts'
import { publishOnly } from '../scenes/batch-scene.ts'
import { countMessages, inNode, sendRequest } from './request-forms.ts'
import { defer, makeMerchant, makeServer, post } from '../scenes/scene.ts'

const bodies: [path: string, schema: TObject][] = [
  ['/api/player/increaseSpin', IncreaseSpinBody],
  ['/api/game/sso', GameLinkBody],
  ['/api/v1/game/plays', PlayBody],
]

/** For servers that are made after this. */
function addField(t: TestContext, schema: TObject, name: string): void {
  const { properties, required } = schema
  Object.assign(schema, {
    properties: { ...properties, [name]: Type.String({ maxLength: 5, pattern: '^[a-z]+$' }) },
    required: [...required, name],
  })
  defer(t, () => Object.assign(schema, { properties, required }))
}

test('a field that is added to a body is checked, and accepted, on every path', async (t) => {
  const name = 'colour'
  for (const [, schema] of bodies) addField(t, schema, name)
  const server = await makeServer(t)
  const { token, merchant } = await makeMerchant(server.ctx.db)
  await publishOnly(server.ctx.db, merchant.merchantId, { stock: 10 })
  const colour = 'green'
  const link = { playerId: 'pia', initialSpin: 1, colour }
  const { body: linked } = await post(`${server.url}/api/game/sso`, token, link)
  const opened = await post(`${server.url}/api/v1/game/session`, undefined, { token: linked.token })
  const { session, next, wheel } = opened.body as any
  const play = {
    session,
    playId: randomUUID(),
    playerSeed: randomBytes(32).toString('hex'),
    commitment: next.commitment,
    versionHash: wheel.hash,
    colour,
  }
  const known = [{ playerId: 'pia', spinNumber: 1, colour }, link, play]
  for (const [index, [path]] of bodies.entries()) {
    const isPlay = path === '/api/v1/game/plays'
    const send = (form: Parameters<typeof sendRequest>[1], changed: object) => {
      const body = { ...known[index], ...changed }
      return sendRequest(server.url + path, form, isPlay ? { body } : { token, body })
    }
    for (const form of ['common', 'after another', 'chunked'] as const) {
      assert.equal((await send(form, {})).status, 200, `${path} ${form}`)
      for (const wrong of [undefined, null, 5, '', 'Green', 'yellow']) {
        const { status, body } = await send(form, { colour: wrong })
        assert.deepEqual([status, body.code], [400, 'validation_failed'], `${path} ${form} ${wrong}`)
        assert.match(String(body.detail), /^\/colour /)
      }
    }
    assert.equal(await countMessages(inNode, () => send('common', {})), 0, `${path} takes the fast path`)
  }
})

test('the fast path takes the bodies that the framework takes, and no others', () => {
  const compile = lazyValidators()(
    {},
    {
      customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false, allErrors: false },
    },
  )
  const hex = (length: number) =>
    fc.string({ unit: fc.constantFrom('0', '9', 'a', 'f'), minLength: length, maxLength: length })
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc
      .constantFrom('a', '🎡', 'é', ' ')
      .chain((one) => fc.integer({ min: 126, max: 130 }).map((n) => one.repeat(n))),
    fc.constantFrom(
      '\ud800',
      'a\u0000',
      ' a',
      'a\n',
      'a b',
      'x'.repeat(4096),
      'x'.repeat(4097),
      '🎡'.repeat(4096),
    ),
    fc.uuid(),
    hex(64),
    fc.integer({ min: 63, max: 65 }).chain(hex),
  )
  const number = fc.oneof(
    fc.constantFrom(-1, 0, 1, 1.5, 999_999, 1_000_000, 1_000_001, 1e300, 2 ** 53),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  const any = fc.oneof({ weight: 9, arbitrary: text }, { weight: 4, arbitrary: number }, fc.jsonValue())
  for (const [path, schema] of bodies) {
    const read = bodyReader(path, schema)
    const judge = compile({
      schema: bodySchemaAt(path, schema),
      method: 'POST',
      url: path,
      httpPart: 'body',
    }) as (body: unknown) => boolean
    const fields = fc.record(
      Object.fromEntries(
        Object.entries(schema.properties).map(([name, rule]) => {
          const { type, pattern } = rule as { type?: string | string[]; pattern?: string }
          const right =
            type === 'string'
              ? pattern?.includes('{64}')
                ? hex(64)
                : text
              : fc.integer({ min: 0, max: 1_000_000 })
          return [name, fc.oneof({ weight: 6, arbitrary: right }, any)]
        }),
      ),
      { requiredKeys: [] },
    )
    let taken = 0
    fc.assert(
      fc.property(fc.oneof({ weight: 20, arbitrary: fields }, any), fc.boolean(), (body, hasMore) => {
        const sent: unknown =
          hasMore && typeof body === 'object' ? Object.assign({}, body, { more: 1 }) : body
        const bytes = Buffer.from(JSON.stringify(sent))
        const isRight = judge(JSON.parse(bytes.toString()))
        const got = read(bytes)
        assert.equal(got !== undefined, isRight)
        if (got === undefined) return
        taken++
        assert.deepEqual(got, JSON.parse(bytes.toString()))
      }),
      { numRuns: 5_000 },
    )
    assert.ok(taken > 50, `${taken} bodies of ${path} were accepted`)
  }
})
