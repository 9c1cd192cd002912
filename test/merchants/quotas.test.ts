import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { merchantQuotas } from '../../src/merchant-quotas.ts'
import { issueToken } from '../../src/merchants/service-tokens.ts'
import { readToEnd } from '../../web/console/read-to-end.ts'
import {
  alwaysWins,
  callApi,
  forgeCursor,
  type ManagementApi,
  makeManagementApi,
  readAll,
} from '../scenes/management-scene.ts'
import { asSuperuser, makeServer, type Server, suiteLifetime, times } from '../scenes/scene.ts'

describe('quotas of a merchant', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let api: ManagementApi
  before(async () => {
    server = await makeServer(lifetime)
    api = await makeManagementApi(server)
  })

  /** What a merchant makes one by one, made at once. */
  const fill = (text: string, count: number) =>
    asSuperuser(server.target.database, (client) => client.query(text, [api.merchant.merchantId, count]))
  /** Sends creations at once where there is room for one. All others are refused. */
  const onlyOneFits = async (what: keyof typeof merchantQuotas, create: (no: number) => Promise<any>) => {
    const answers = await Promise.all(times(6, create))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      assert.deepEqual([status, body.code], [409, 'merchant_limit_reached'])
      assert.match(body.detail, new RegExp(`at most ${merchantQuotas[what]} ${what}`))
    }
  }
  /** The ids of a list: as the console reads it, without a limit, and in small pages. */
  const idsOf = async (path: string, name: string, id: string) => {
    const get = async (address: string) => (await callApi(server, api.token, 'GET', address)).body
    const whole = await readToEnd(get, `/api/v1${path}`)
    const pages = await readAll(api, `${path}?limit=150&fields=${id}`, name)
    const ids = pages.map((item) => item[id])
    assert.deepEqual(
      ids,
      whole[name].map((item: any) => item[id]),
    )
    assert.equal(new Set(ids).size, ids.length)
    return ids
  }

  test('wheels: too many at once are refused, known ones can be changed, and the list has pages', async () => {
    await fill(
      `insert into wheels (merchant_id, slug, draft, created_at)
      select $1, 'w' || n, draft, now() from wheels, generate_series(1, $2) as n where merchant_id = $1`,
      merchantQuotas.wheels - 2,
    )
    const draft = alwaysWins({})
    await onlyOneFits('wheels', (no) => api.call('PUT', `/wheels/more-${no}`, draft))
    assert.equal((await api.call('PUT', '/wheels/w7', draft)).status, 200)
    assert.equal((await idsOf('/wheels', 'wheels', 'wheel')).length, merchantQuotas.wheels)
    const copy = await api.call('POST', '/campaigns/main/copies', { campaign: 'copy' })
    assert.deepEqual([copy.status, copy.body.code], [409, 'merchant_limit_reached'])
    assert.equal((await api.call('GET', '/campaigns/copy')).status, 404)
  })

  test('a bound token finds its wheel on the pages of the list, and no other', async () => {
    assert.equal((await api.call('POST', '/wheels/w7/publication')).status, 200)
    const campaign = await api.call('POST', '/campaigns', { campaign: 'summer', name: 'Summer', wheel: 'w7' })
    assert.equal(campaign.status, 200, campaign.text)
    const order = { name: 'summer', scopes: ['read'], campaign: 'summer' }
    const { token } = (await api.call('POST', '/tokens', order)).body
    const bound: ManagementApi = {
      ...api,
      call: (method, path) => callApi(server, token, method, `/api/v1${path}`),
    }
    for (const query of ['?limit=1', '?limit=2', '?fields=wheel']) {
      const wheels = await readAll(bound, `/wheels${query}`, 'wheels')
      assert.deepEqual(
        wheels.map(({ wheel }) => wheel),
        ['w7'],
      )
    }
  })

  test('code pools: too many at once are refused, known ones get more, and the list has pages', async () => {
    await fill(
      `insert into code_pools (merchant_id, pool, created_at)
      select $1, 'p' || n, now() from generate_series(1, $2) as n`,
      merchantQuotas['code pools'] - 1,
    )
    const codes = { codes: ['A'] }
    await onlyOneFits('code pools', (no) => api.call('POST', `/code-pools/more-${no}/codes`, codes))
    assert.equal((await api.call('POST', '/code-pools/p7/codes', codes)).body.added, 1)
    assert.equal((await idsOf('/code-pools', 'pools', 'pool')).length, merchantQuotas['code pools'])
  })

  test('tokens: only live ones count, too many at once are refused, and the list of all has pages', async () => {
    const { tokens } = (await api.call('GET', '/tokens')).body
    const make = (prefix: string, revoked: string) => `
      insert into service_tokens (token_id, merchant_id, name, secret_sha256, scopes, created_at, revoked_at)
      select '${prefix}' || n, $1, 'a till', sha256('${prefix}'), '{read}', now(), ${revoked}
      from generate_series(1, $2) as n`
    await fill(make('dead', 'now()'), 400)
    await fill(make('live', 'null'), merchantQuotas['live tokens'] - tokens.length - 1)
    const create = () => api.call('POST', '/tokens', { name: 'one more', scopes: ['read'] })
    await onlyOneFits('live tokens', create)
    const ids = await idsOf('/tokens', 'tokens', 'tokenId')
    assert.equal(ids.length, 400 + merchantQuotas['live tokens'])
    assert.equal((await api.call('DELETE', '/tokens/live1')).status, 200)
    assert.equal((await create()).status, 200)
    assert.equal((await create()).status, 409)
    // As `wheelhouse token rotate` does. The old token works for a while beside the new one.
    const { db } = server.ctx
    const order = {
      name: 'new',
      scopes: ['read'] as const,
      expiresAt: null,
      replaces: 'live2',
      now: new Date(),
    }
    await db.transaction((tx) => issueToken(tx, api.merchant, order))
    for (const key of [['2026', ''], [-1, ''], [1e20, ''], [0]]) {
      const cursor = await forgeCursor(api, '/tokens', JSON.stringify(key))
      assert.equal((await api.call('GET', `/tokens?cursor=${cursor}`)).status, 400, String(key))
    }
  })

  test('the list of webhooks has pages', async () => {
    for (const name of ['one', 'two', 'three'])
      await api.call('POST', '/webhooks', { url: `https://shop.example/${name}` })
    const whole = (await api.call('GET', '/webhooks')).body
    assert.equal(whole.next, null)
    const pages = await readAll(api, '/webhooks?limit=2&fields=url', 'webhooks')
    assert.deepEqual(
      pages,
      whole.webhooks.map(({ url }: { url: string }) => ({ url })),
    )
  })
})
