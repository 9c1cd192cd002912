// Sends a secret through every field of the API, then looks for it where it must not appear.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readDocument, type Schema } from '../../fuzz/api-document.ts'
import { callApi } from '../scenes/management-scene.ts'
import { databaseUrl, freePort, makeDatabase, makeMerchant, spawnServer, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

test(
  'a canary value sent in every field of every operation appears in no log, no metric and no response to another caller',
  onLanding,
  async (t) => {
    const { target, db } = await makeDatabase(t)
    const metricsPort = await freePort()
    const server = await spawnServer(t, {
      DATABASE_URL: databaseUrl(target),
      LOG_LEVEL: 'trace',
      METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
      WEBHOOKS: 'off',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      TRUST_PROXY: '127.0.0.1',
    })
    const scopes = ['spins', 'links', 'manage', 'events', 'prizes', 'read'] as const
    const own = await makeMerchant(db, { scopes: [...scopes] })
    const other = await makeMerchant(db, { scopes: [...scopes] })
    const canary = `canary-${randomBytes(8).toString('hex')}`
    const operations = readDocument(await (await fetch(`${server.url}/openapi.json`)).json())
    let sent = 0
    let accepted = 0
    for (const operation of operations.filter(({ path }) => !path.endsWith('/stream'))) {
      const fields = operation.parameters.filter((one) => one.in === 'query' && one.name !== 'wait')
      const query = fields.map(({ name }) => `${name}=${canary}`).join('&')
      const path = operation.path.replaceAll(/\{\w+\}/g, canary)
      const [type] = Object.keys(operation.body)
      const schema = operation.body['application/json']?.schema
      const bodies =
        schema === undefined
          ? [type === undefined ? undefined : canary]
          : [withCanary(schema, canary), { [canary]: canary }, canary]
      for (const body of bodies) {
        for (const url of query === '' ? [path] : [path, `${path}?${query}`]) {
          const { status } = await callApi(server, own.token, operation.method, url, {
            ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
            headers: {
              ...(type === undefined ? {} : { 'Content-Type': type }),
              'Idempotency-Key': `${canary}-${sent}`,
              'User-Agent': canary,
              Referer: `https://x.example/${canary}`,
              Cookie: `wheelhouse-session=${canary}; ${canary}=1`,
              'X-Request-Id': canary,
              'X-Forwarded-For': `10.1.${randomBytes(2).join('.')}`,
            },
          })
          sent++
          if (status < 300) accepted++
          assert.ok(status < 500 || status === 503, `${operation.operationId}: ${status}`)
        }
      }
    }
    assert.ok(accepted > 20, `${accepted} of ${sent} were accepted: too few to test the canary`)
    const requestLines = () => server.output().split('"msg":"request"').length - 1
    await until(() => requestLines() > sent)
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const hidden = [canary, own.token.split(':')[1] as string, other.token.split(':')[1] as string]
    for (const text of hidden) {
      assert.ok(!server.output().includes(text), `in the log: ${lineWith(server.output(), text)}`)
      assert.ok(!metrics.includes(text), `in the metrics: ${lineWith(metrics, text)}`)
    }
    for (const { operationId, method, path } of operations.filter(
      (one) => one.method === 'GET' && !one.path.endsWith('/stream'),
    )) {
      for (const token of [other.token, undefined]) {
        const answer = await callApi(server, token, method, path.replaceAll(/\{\w+\}/g, 'main'))
        assert.ok(!answer.text.includes(canary), `${operationId} shows it to another caller`)
      }
    }
  },
)

function lineWith(text: string, part: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.includes(part))
      ?.slice(0, 600) ?? ''
  )
}

/** A value that fits the schema, with the canary in every string. */
function withCanary(schema: Schema, canary: string, name = ''): unknown {
  if (name === 'url') return `http://127.0.0.1:1/${canary}`
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [choice] = schema.anyOf ?? []
  if (choice !== undefined) return withCanary(choice, canary, name)
  const type = [schema.type].flat()[0]
  if (type === 'array') return [withCanary(schema.items ?? {}, canary, name)]
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return true
  if (type === 'object' || schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([field, one]) => [field, withCanary(one, canary, field)]),
    )
  return schema.pattern?.includes('#[0-9a-f') === true ? '#112233' : canary
}
