import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repeatedField } from '../../src/http/transport/repeated-fields.ts'
import { makeMerchant, makeServer, post } from '../scenes/scene.ts'

test('a field that is sent twice is refused by name, on every path, and changes nothing', async (t) => {
  const server = await makeServer(t)
  const { token } = await makeMerchant(server.ctx.db)
  const call = (path: string, body: string, headers = {}) =>
    post(`${server.url}${path}`, token, body, { 'Idempotency-Key': 'k-1', ...headers })
  const twice = [
    ['/api/player/increaseSpin', '{"playerId":"eve","spinNumber":1,"spinNumber":1000}', 'spinNumber'],
    ['/api/player/increaseSpin', '{"playerId":"eve","spinNumber":1,"\\u0070layerId":"bob"}', 'playerId'],
    ['/api/player/increaseSpin', '{"playerId":"eve","spinNumber":1,"x":{"y":1,"y":1}}', 'y'],
    ['/api/game/sso', '{"playerId":"eve","initialSpin":5,"playerId":"eve"}', 'playerId'],
    ['/api/v1/grants', '{"playerId":"eve","spins":1,"campaign":"main","spins":9}', 'spins'],
    ['/api/v1/grant-batches', '{"grants":[{"playerId":"eve","spinNumber":1,"spinNumber":2}]}', 'spinNumber'],
  ] as const
  for (const [path, body, name] of twice) {
    // The second one takes Node's parser and the framework instead of the bare connection.
    for (const headers of [{}, { 'Content-Type': 'application/json;charset=utf-8' }]) {
      const { status, body: problem } = await call(path, body, headers)
      assert.deepEqual([status, problem.code], [400, 'body_malformed'], body)
      assert.match(String(problem.detail), new RegExp(`"${name}" twice`))
    }
  }
  const once = await call('/api/player/increaseSpin', '{"playerId":"eve","spinNumber":2,"x":"a:b\\":{"}')
  assert.deepEqual(once.body, { playerId: 'eve', spinCount: 2 })
})

test('any JSON text is judged by whether an object has a name twice', () => {
  const indents = fc.constantFrom(0, 1, 3)
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), indents, (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.equal(repeatedField(text, JSON.parse(text)), undefined)
    }),
  )
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), indents, (one, other, name, indent) => {
      const key = JSON.stringify(name)
      const text = `[{${key} : ${JSON.stringify(one, null, indent)},\n${key}:${JSON.stringify(other)}}]`
      assert.equal(repeatedField(text, JSON.parse(text)), name)
    }),
  )
})
