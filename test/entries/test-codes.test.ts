import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { entryPageOf, makeEntryPage } from '../scenes/entry-scene.ts'
import { callApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'
import { onLanding } from '../scenes/selection.ts'

const path = '/api/v1/campaigns/main/entries/codes'

describe('the codes of visitors', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  test(
    'are read at a test merchant by everybody but viewers, work, and are read nowhere else',
    onLanding,
    async () => {
      const live = await makeEntryPage(server)
      const made = (await live.api.call('POST', '/test-merchant', {})).body
      const call: typeof live.api.call = (method, under, body, headers) =>
        callApi(server, made.token, method, `/api/v1${under}`, {
          ...(body === undefined ? {} : { body }),
          ...(headers === undefined ? {} : { headers }),
        })
      const merchant = { ...live.api.merchant, slug: made.merchant as string }
      const page = entryPageOf(server, { ...live.api, merchant, token: made.token, call }, 'main')
      await page.setUp({ verify: 'code' })
      const read = async () => (await callApi(server, made.token, 'GET', path)).body.codes
      assert.deepEqual(await read(), [])

      const { session } = (await page.enter({ email: 'Ann@shop.example' })).body
      await page.enter({ email: 'bob@shop.example' })
      const codes = await read()
      assert.deepEqual(
        codes.map(({ address, attemptsLeft }: any) => [address, attemptsLeft]),
        [
          ['bob@shop.example', 5],
          ['Ann@shop.example', 5],
        ],
      )
      for (const role of ['owner', 'editor', 'support', 'viewer'] as const) {
        const browser = await signInAs(server, await makeStaff(server.ctx.db, [[live.api.merchant, role]]))
        const answer = await browser.call('GET', path, { merchant: made.merchant })
        assert.equal(answer.status, role === 'viewer' ? 403 : 200, role)
      }
      const refused = await callApi(server, live.api.token, 'GET', path)
      assert.deepEqual([refused.status, refused.body.code], [403, 'test_merchant_needed'])

      const entered = await page.send('/proof', { session, code: codes[1].code })
      assert.equal(entered.body.outcome, 'entered', JSON.stringify(entered.body))
      assert.deepEqual(
        (await read()).map(({ address }: any) => address),
        ['bob@shop.example'],
      )
      await call('PUT', '/test/clock', { now: new Date(Date.now() + 11 * 60_000).toISOString() })
      assert.deepEqual(await read(), [])
    },
  )
})
