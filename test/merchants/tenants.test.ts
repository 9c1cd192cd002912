// Every operation of the OpenAPI document that takes a service token is called without one, with one that lacks the
// scope, and with one of another merchant and the ids of this one. A new endpoint is covered once it is in the
// document; if its path has a parameter that is unknown here, the test fails until a value is added.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { resolveReferences } from '../../fuzz/api-document.ts'
import { uploadCodes } from '../../src/stock/code-pools.ts'
import { suppress } from '../../src/messages/recipients.ts'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import { entrySettings } from '../scenes/entry-scene.ts'
import { makeLinkList } from '../scenes/link-list-scene.ts'
import { callApi, type ManagementApi, makeManagementApi, type Reply } from '../scenes/management-scene.ts'
import {
  freePort,
  makeMerchant,
  makeServer,
  post,
  type Server,
  suiteLifetime,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { bodyFor, type Content, exampleOf, type Parameter, valueFor } from './example-values.ts'

type Operation = {
  operationId: string
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Content> }
  method: string
  path: string
}

type Table = { name: string; isOwned: boolean }

/** The ids of a merchant's objects, by parameter name. Every object contains the merchant's mark. */
type MerchantObjects = { api: ManagementApi; mark: string; ids: Record<string, string> }

/** These create an object of the caller, whatever its id: a 2xx is right and affects no other merchant. */
const createsOwnObject = new Set([
  'givePlayerSpins',
  'createLinkByHand',
  'createLinkList',
  'saveWheel',
  'uploadCodes',
  'streamCodes',
  'revokeLink',
])

/** These create another merchant, of the caller alone. test/test-mode/test-mode.test.ts shows what it shares. */
const createsMerchant = new Set(['openTestMerchant', 'createTestMerchant'])

/** For test merchants, a server with mail, or held prizes: test/test-mode, test/messages and test/prizes call them. */
const testedElsewhere = /^\/api\/v1\/test| (listEntryCodes|changeMessageSettings|(release|refuse)Prize)$/
const isTestedElsewhere = (one: Operation) => testedElsewhere.test(`${one.path} ${one.operationId}`)

/** Their body has the id of a new campaign. */
const createsCampaign = new Set(['createCampaign', 'duplicateCampaign'])

describe('a merchant', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let operations: Operation[]
  let tables: Table[]
  let victim: MerchantObjects
  before(async () => {
    // The webhooks of this test point to unused ports of this machine, and nowhere else.
    server = await makeServer(lifetime, {
      env: { WEBHOOKS: 'off', WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    })
    operations = operationsIn(resolveReferences(await (await fetch(`${server.url}/openapi.json`)).json()))
    tables = await readTables()
    victim = await makeMerchantObjects()
  })

  async function makeMerchantObjects(): Promise<MerchantObjects> {
    const mark = `zz${randomBytes(6).toString('hex')}`
    const api = await makeManagementApi(server)
    const { merchantId } = api.merchant
    const [playerId, wheel, pool] = [`${mark}-player`, `w-${mark}`, `p-${mark}`]
    await uploadCodes(server.ctx.db, { merchantId, pool }, [`${mark}-1`, `${mark}-2`], new Date())
    const draft = {
      ...defaultWheel,
      name: `${mark} wheel`,
      fallback: 'nothing',
      segments: [
        { id: 'coffee', label: `${mark} cup`, color: '#112233', weight: 1, prize: { kind: 'pool', pool } },
        { id: 'nothing', label: 'Nothing', color: '#445566', weight: 0, prize: { kind: 'none' } },
        {
          id: 'paced',
          label: `${mark} paced`,
          color: '#778899',
          weight: 0,
          prize: { kind: 'handover' },
          pace: { units: 5, periods: [{ from: tomorrow(0), until: tomorrow(1) }] },
        },
      ],
    }
    await api.call('PUT', `/wheels/${wheel}`, draft)
    const published = await api.call('POST', `/wheels/${wheel}/publication`)
    assert.equal(published.status, 200, published.text)
    await api.call('PUT', `/wheels/${wheel}/links`)
    await until(async () => (await server.ctx.wheels.current(merchantId)).slug === wheel)
    const play = await api.play(playerId)
    const key = { 'Idempotency-Key': `${mark}-key` }
    await api.call('PUT', `/players/${playerId}/contact`, { email: `${mark}@shop.example`, language: 'en' })
    await api.call('POST', `/players/${playerId}/corrections`, { amount: 5, reason: `${mark} reason` }, key)
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await api.call('PUT', `/wheels/${wheel}/scheduled-publication`, { at })
    const campaign = `c-${mark}`
    await api.call('POST', '/campaigns', { campaign, name: `${mark} campaign`, wheel })
    const entry = { ...entrySettings, isOpen: false, terms: { organiser: `${mark} organiser` } }
    await api.call('PUT', `/campaigns/${campaign}/entry`, entry)
    const issued = await api.call('POST', '/tokens', { name: `${mark} token`, scopes: ['read'] })
    const hook = await api.call('POST', '/webhooks', { url: `http://127.0.0.1:${await freePort()}/${mark}` })
    assert.equal(hook.status, 200, hook.text)
    const resend = await api.call('POST', `/webhooks/${hook.body.webhookId}/resend`, { fromSeq: 1 })
    assert.equal(resend.status, 202, resend.text)
    const link = await post(`${server.url}/api/game/sso`, api.token, { playerId })
    await suppress(server.ctx.db, api.merchant, {
      address: `${mark}@shop.example`,
      scope: 'all',
      reason: 'address_dead',
      now: new Date(),
    })
    const { deadAddresses } = (await api.call('GET', '/messages/dead-addresses')).body
    const played = () => api.call('GET', '/events?types=play.completed')
    await until(async () => (await played()).body.events.length > 0)
    const claims = Buffer.from(String(link.body.token).split('.')[1] ?? '', 'base64url').toString()
    return {
      api,
      mark,
      ids: {
        playerId,
        at,
        wheel,
        campaign,
        pool,
        playId: play.playId,
        code: play.prize.code,
        prizeId: 'coffee',
        prize: 'paced',
        id: wheel,
        version: '1',
        tokenId: issued.body.tokenId,
        webhook: hook.body.webhookId,
        resend: resend.body.resendId,
        deadAddress: deadAddresses[0].id,
        list: await makeLinkList(api, { campaign, playerIds: [playerId] }),
        event: (await played()).body.events[0].id,
        linkId: (JSON.parse(claims) as { jti: string }).jti,
      },
    }
  }

  test('is refused without a token and with a token that lacks the scope', async () => {
    const { merchant } = victim.api
    const scoped = async (scope: 'links' | 'read') => {
      const { token } = await victim.api
        .call('POST', '/tokens', { name: scope, scopes: [scope] })
        .then((it) => it.body)
      return token as string
    }
    const [links, read] = [await scoped('links'), await scoped('read')]
    for (const operation of operations) {
      const request = requestFor(operation, victim.ids)
      const withoutToken = await send(server, undefined, request)
      assert.deepEqual(
        [withoutToken.status, withoutToken.body.code],
        [401, 'token_missing'],
        operation.operationId,
      )
      const makesLinks = ['createGameLink', 'createLink', 'createWalletLink'].includes(operation.operationId)
      const limited = await send(server, makesLinks ? read : links, request)
      assert.deepEqual([limited.status, limited.body.code], [403, 'scope_missing'], operation.operationId)
    }
    assert.ok(operations.length > 40, `${operations.length} operations of ${merchant.slug}`)
  })

  test('reads and changes nothing of another merchant, whatever ids it knows', async () => {
    let { merchantId, token, untouched } = await makeCaller()
    let unchecked: string[] = []
    const checkRows = async () => {
      assert.deepEqual(await rowsWithout(merchantId), untouched, `changes: ${unchecked.join('\n')}`)
      unchecked = []
    }
    for (const operation of operations) {
      for (const request of requestsFor(operation, victim.ids)) {
        const isNew = createsMerchant.has(operation.operationId)
        if (isNew) await checkRows()
        const answer = await send(server, token, request)
        const name = `${operation.operationId} ${request.path}: ${answer.status} ${answer.text.slice(0, 300)}`
        // The response may repeat what was sent, and nothing else of the other merchant.
        const leaked = request.sent.reduce((text, value) => text.replaceAll(value, ''), answer.text)
        assert.ok(!leaked.includes(victim.mark), `leaks: ${name}`)
        assert.ok(answer.status < 500, name)
        if (operation.path.includes('{') && !createsOwnObject.has(operation.operationId))
          assert.equal(answer.status, 404, name)
        if (!isNew) unchecked.push(name)
        // The hashes of all tables take longer than many requests.
        if (unchecked.length === 10 || (!isNew && answer.status < 400)) await checkRows()
        // Otherwise the caller would now have an object with the other merchant's id.
        if (operation.method !== 'GET' && answer.status < 400)
          ({ merchantId, token, untouched } = await makeCaller())
      }
    }
    await checkRows()
  })

  test('reads nothing of another merchant through undocumented fields', async () => {
    const { merchantId } = victim.api.merchant
    const more = { ...victim.ids, merchantId, merchant: victim.api.merchant.slug, shard: 0, tokenId: 'x' }
    let own = await makeMerchantObjects()
    let untouched = await rowsWithout(own.api.merchant.merchantId)
    for (const operation of operations.filter(({ requestBody }) => requestBody !== undefined)) {
      const request = requestFor(operation, own.ids)
      if (typeof request.body !== 'object' || request.body === null) continue
      const known = Object.keys(request.body)
      const added = Object.entries(more).filter(([name]) => !known.includes(name))
      const body = { ...Object.fromEntries(added), ...request.body }
      const answer = await send(server, own.api.token, { ...request, body })
      const name = `${operation.operationId}: ${answer.status} ${answer.text.slice(0, 300)}`
      assert.ok(answer.status < 500, name)
      assert.ok(!answer.text.includes(victim.mark), `leaks: ${name}`)
      if (!createsMerchant.has(operation.operationId))
        assert.deepEqual(await rowsWithout(own.api.merchant.merchantId), untouched, `changes: ${name}`)
      if (answer.status >= 400) continue
      // The next request needs objects that this one may have changed.
      own = await makeMerchantObjects()
      untouched = await rowsWithout(own.api.merchant.merchantId)
    }
  })

  test('succeeds with the same requests on its own data', onLanding, async () => {
    for (const operation of operations.filter((one) => !isTestedElsewhere(one))) {
      const own = operation.method === 'GET' ? victim : await makeMerchantObjects()
      if (operation.operationId === 'reverseRedemption')
        await own.api.call('PUT', `/prizes/${own.ids.playId}/redemption`)
      const answer = await send(server, own.api.token, requestFor(operation, own.ids))
      const isFine = answer.status >= 200 && answer.status < 300
      assert.ok(isFine, `${operation.operationId}: ${answer.status} ${answer.text.slice(0, 300)}`)
    }
  })

  /** A merchant without objects, and the hashes of what belongs to the others. */
  async function makeCaller() {
    const { merchant, token } = await makeMerchant(server.ctx.db, {
      scopes: ['spins', 'links', 'manage', 'events', 'prizes', 'read'],
    })
    const { merchantId } = merchant
    return { merchantId, token, untouched: await rowsWithout(merchantId) }
  }

  /** A hash per table of all rows that do not belong to the merchant. */
  async function rowsWithout(merchantId: number): Promise<object[]> {
    const hashes = tables.map(({ name, isOwned }) => {
      const row = name.startsWith('event_pages') ? 'it.body' : 'it::text'
      return `
        select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(${row}, '|' order by ${row}), '')) as hash
        from ${name} as it
        ${isOwned ? `where merchant_id <> ${merchantId}` : ''}`
    })
    return query(`${hashes.join('\nunion all')}\norder by name`)
  }

  async function query<Row extends object>(text: string): Promise<Row[]> {
    return server.ctx.db.query<Row>({ name: '', text })
  }

  async function readTables(): Promise<Table[]> {
    const found = await query<Table>(`
      select tables.table_name as name, columns.column_name is not null as "isOwned"
      from information_schema.tables
      left join information_schema.columns
        on columns.table_name = tables.table_name
        and columns.column_name = 'merchant_id'
      where tables.table_schema = 'public'
      order by 1`)
    return found.filter(({ name }) => !ownPace.has(name))
  }
})

function tomorrow(daysAfter: number): string {
  return new Date(Date.now() + (1 + daysAfter) * 86_400_000).toISOString()
}

/** These change by themselves: last uses and requests are recorded later, events numbered, workers run and report. */
const ownPace = new Set([
  'recent_requests',
  'service_token_uses',
  'event_streams',
  'work_positions',
  'activity_counts',
  'play_counts',
  'settlement_counts',
  'visits',
  'visit_days',
  'player_weeks',
  'cohort_counts',
  'closed_days',
  'activity_days',
  'play_days',
  'settlement_days',
  'campaign_days',
  'play_months',
  'settlement_months',
  'campaign_months',
  'ledger_seals',
  'ledger_seal_parts',
  'signs_of_life',
  'interruptions',
])

function operationsIn(document: any): Operation[] {
  const found = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        path,
        method: method.toUpperCase(),
      })),
  )
  return found.filter(({ security }) => security?.some((scheme) => 'serviceToken' in scheme) === true)
}

type Request = {
  method: string
  path: string
  headers: Record<string, string>
  body: unknown
  sent: string[]
}

/** Without the optional parameters and, if it has any that take an id, with them. */
function requestsFor(operation: Operation, ids: Record<string, string>): Request[] {
  const [bare, full] = [requestFor(operation, ids), requestFor(operation, ids, { optional: true })]
  return full.path === bare.path ? [bare] : [bare, full]
}

/** A request as in the document, with these ids for its parameters. */
function requestFor(
  operation: Operation,
  ids: Record<string, string>,
  { optional = false }: { optional?: boolean } = {},
): Request {
  const sent: string[] = []
  const idFor = (name: string, where: string): string => {
    const id = ids[name]
    assert.ok(
      id !== undefined,
      `${operation.operationId}: tell this test of a {${name}} that exists (${where})`,
    )
    sent.push(id, encodeURIComponent(id))
    return id
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(idFor(name, 'path')),
  )
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  for (const parameter of operation.parameters ?? []) {
    const { name, in: place, required, schema } = parameter
    if (place === 'header' && required === true)
      headers[name] = /^if-match$/i.test(name) ? `"${randomBytes(8).toString('hex')}"` : randomUUID()
    if (place !== 'query') continue
    if (required === true) query.set(name, String(exampleOf(parameter) ?? valueFor(schema, name, ids)))
    else if (optional && name in ids) query.set(name, idFor(name, 'query'))
  }
  const [type] = Object.keys(operation.requestBody?.content ?? {})
  const content = type === undefined ? undefined : operation.requestBody?.content[type]
  if (type !== undefined) headers['Content-Type'] = type
  const body =
    type === undefined
      ? undefined
      : type === 'application/json'
        ? bodyFor(content ?? { schema: {} }, ids)
        : 'SOME-CODE\n'
  if (createsCampaign.has(operation.operationId))
    Object.assign(body as object, { campaign: `new-${randomBytes(4).toString('hex')}` })
  const has = (name: string) => JSON.stringify(body ?? '').includes(ids[name] ?? '')
  for (const name of ['playerId', 'campaign'].filter(has)) idFor(name, 'body')
  return { method: operation.method, path: query.size > 0 ? `${path}?${query}` : path, headers, body, sent }
}

/** Of an endless response only the beginning is read. */
async function send(server: Server, token: string | undefined, request: Request): Promise<Reply> {
  const { method, path, body, headers } = request
  if (path.includes('/stream')) {
    const over = new AbortController()
    const authorization = token === undefined ? {} : { Authorization: token }
    const response = await fetch(`${server.url}${path}`, {
      headers: { ...authorization, ...headers },
      signal: over.signal,
    })
    const text = response.ok ? '' : await response.text()
    over.abort()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? {} : JSON.parse(text),
    }
  }
  const sent = body === undefined ? { headers } : { body, headers }
  const answer = await callApi(server, token, method, path, sent)
  return answer.body?.retryable === true ? send(server, token, request) : answer
}
