import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Queryable } from '../../src/db/database.ts'
import { findMerchant } from '../../src/merchants/merchants.ts'
import { findPlayer } from '../../src/players/players.ts'
import { lobbyCards } from '../../src/plays/lobby.ts'
import { holdResponses, makeGameSuite, openGame, spin, untilState, violations } from '../scenes/game-scene.ts'
import { alwaysWins, callApi, makeManagementApi } from '../scenes/management-scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe('the lobby and free spins', onLanding, () => {
  const suite = makeGameSuite()

  test('the lobby has a card for each campaign; the page stays with the chosen one, and each has its own spins', async (t) => {
    const api = await makeManagementApi(suite.server)
    // The default wheel may give spins.
    await api.publish(alwaysWins({}))
    const opensAt = new Date(Date.now() + 86_400_000).toISOString()
    for (const campaign of [
      { campaign: 'summer', texts: { en: { name: 'Summer', description: 'All week' } } },
      { campaign: 'winter', texts: { de: { name: 'Winter' } }, opensAt },
    ])
      assert.equal(
        (await api.call('POST', '/campaigns', { name: 'Internal', wheel: 'main', ...campaign })).status,
        200,
      )
    const grant = (campaign: string, spins: number) =>
      api.call('POST', '/grants', { playerId: 'pia', spins, campaign }, { 'Idempotency-Key': campaign })
    assert.equal((await grant('main', 1)).status, 200)
    assert.equal((await grant('summer', 5)).status, 200)
    const { token } = (await api.call('POST', '/links', { playerId: 'pia', campaign: '*' })).body as {
      token: string
    }
    const viewport = { width: 320, height: 568 }
    const link = `${suite.server.url}/spinthewheel/?token=${token}`
    const { page, pageErrors } = await openGame(t, suite, link, { viewport })
    const inView = (...selectors: string[]) =>
      page.evaluate((names) => {
        // Finishes the card's arrival.
        for (const one of document.getAnimations())
          if (one.effect?.getComputedTiming().iterations !== Infinity) one.finish()
        return names.filter((name) => {
          const { top, bottom, left, right } = (
            document.querySelector(name) as Element
          ).getBoundingClientRect()
          return top >= -1 && left >= -1 && bottom <= innerHeight + 1 && right <= innerWidth + 1
        })
      }, selectors)
    await untilState(page, 'ready')
    const card = (name: string) => page.locator('#lobby button', { hasText: name })
    await card('Winter').getByText('Opens').waitFor()
    // Without room for it, the description is left out.
    await card('Summer').getByText('All week').waitFor({ state: 'attached' })
    assert.deepEqual(await violations(page, 'everything'), [])
    const start = ['#lobby button[aria-current]', '#pointer', '#action']
    assert.deepEqual(await inView(...start), start, 'the cards leave room for the wheel and the button')

    await card('Summer').click()
    await page.locator('#lobby button[aria-current]', { hasText: 'Summer' }).waitFor()
    await untilState(page, 'ready')
    assert.deepEqual(await inView('#lobby button[aria-current]'), ['#lobby button[aria-current]'])
    const release = await holdResponses(page, '**/plays')
    await page.locator('#action').click()
    await untilState(page, 'turning', 'waiting')
    assert.equal(await page.locator('#lobby button[aria-disabled="true"]').count(), 3)
    assert.deepEqual(await violations(page), [])
    release()
    await untilState(page, 'won')
    assert.equal(await page.locator('#lobby button[aria-disabled="false"]').count(), 3)
    assert.deepEqual(await inView('#pointer', '#panel-title'), ['#pointer', '#panel-title'])
    await card('Summer').getByText('4 spins left').waitFor()
    // Nobody wrote a name for the players of this one.
    await card('Wheel of fortune').click()
    await page.locator('#lobby button[aria-current]', { hasText: 'Wheel of fortune' }).waitFor()
    assert.equal(await page.getByText('Internal').count(), 0)
    await untilState(page, 'ready')
    await card('Winter').click()
    await untilState(page, 'closed')
    assert.deepEqual(pageErrors, [])
    const player = (await api.call('GET', '/players/pia')).body
    assert.equal(player.spinCount, 1)
    const opened = (await api.call('GET', '/events?types=link.opened')).body.events
    assert.equal(opened.length, 1)
  })

  test('the wallet that the lobby opens has the prizes of all its campaigns', async (t) => {
    const api = await makeManagementApi(suite.server)
    await api.publish(alwaysWins({ prize: { kind: 'fixed', code: 'MAIN-1' } }))
    await api.call('PUT', '/wheels/other', alwaysWins({ prize: { kind: 'fixed', code: 'SUMMER-2' } }))
    await api.call('POST', '/wheels/other/publication')
    await api.call('POST', '/campaigns', { campaign: 'summer', name: 'Summer', wheel: 'other' })
    for (const campaign of ['main', 'summer'])
      await api.call(
        'POST',
        '/grants',
        { playerId: 'pia', spins: 1, campaign },
        { 'Idempotency-Key': campaign },
      )
    const { token } = (await api.call('POST', '/links', { playerId: 'pia', campaign: '*' })).body
    const { page, pageErrors } = await openGame(
      t,
      suite,
      `${suite.server.url}/spinthewheel/?token=${token as string}`,
    )
    await untilState(page, 'ready')
    for (const campaign of ['main', 'summer']) {
      await page.locator(`#lobby button[data-campaign="${campaign}"]`).click()
      await page.locator(`#lobby button[data-campaign="${campaign}"][aria-current]`).waitFor()
      await untilState(page, 'ready')
      await spin(page)
    }
    await page.locator('#wins button').click()
    for (const code of ['MAIN-1', 'SUMMER-2']) await page.locator('#prizes > li', { hasText: code }).waitFor()
    assert.deepEqual(pageErrors, [])
  })

  /** A test merchant with these campaigns. `soon` closes first, and has no free spins. */
  const makeCampaigns = async (now: string, campaigns: Record<string, object>) => {
    const live = await makeManagementApi(suite.server)
    await live.publish(alwaysWins({}))
    const { token } = (await live.call('POST', '/test-merchant', {})).body
    const ok = async (method: string, path: string, body?: object): Promise<any> => {
      const reply = await callApi(suite.server, token, method, `/api/v1${path}`, body && { body })
      assert.equal(reply.status, 200, reply.text)
      return reply.body
    }
    const setClock = (to: string) => ok('PUT', '/test/clock', { now: to })
    await setClock(now)
    const closesAt = new Date(Date.parse(now) + 7 * 86_400_000).toISOString()
    for (const [campaign, rest] of Object.entries({ soon: { closesAt }, ...campaigns }))
      await ok('POST', '/campaigns', { campaign, name: campaign, wheel: 'main', ...rest })
    const linkOf = async (playerId: string, more: object = {}): Promise<string> =>
      (await ok('POST', '/links', { playerId, campaign: '*', expiresIn: 864_000, ...more })).token
    const ledgerOf = async (playerId: string) =>
      (await ok('GET', `/players/${playerId}/ledger`)).entries.map((entry: any) => [
        entry.kind,
        entry.campaign,
      ])
    return { ok, setClock, linkOf, ledgerOf, slug: `test-${live.merchant.slug}` }
  }

  test('cards count free spins as the opened campaign does, in its time zone, with bank and streak', async () => {
    const streaks = [{ length: 2, spins: 5 }]
    const game = await makeCampaigns('2027-03-01T12:00:00Z', {
      daily: { freeSpins: { every: 'day', zone: 'player', bank: 3, streaks } },
      excused: { freeSpins: { every: 'day', streaks } },
      often: { freeSpins: { every: 'PT15M', on: 'play', amount: 2 } },
      later: { opensAt: '2027-03-20T00:00:00Z', freeSpins: { every: 'day' } },
    })
    // The days there begin at 10:00 UTC.
    const token = await game.linkOf('pia', { timeZone: 'Pacific/Kiritimati' })
    const cards = async (): Promise<any> => {
      const { campaigns } = await game.ok('POST', '/game/lobby', { token })
      return Object.fromEntries(campaigns.map((card: any) => [card.campaign, card.spinCount]))
    }
    const opened = async (campaign?: string) => {
      const session = await game.ok('POST', '/game/session', { token, campaign })
      return [session.campaign.campaign, session.spinCount + (session.free?.available ?? 0)]
    }
    const rest = { soon: 0, main: 0, later: 0, often: 2 }
    assert.deepEqual(await cards(), { ...rest, daily: 1, excused: 1 })
    assert.deepEqual(await game.ledgerOf('pia'), [], 'the lobby collects nothing')
    assert.deepEqual(await opened(), ['daily', 1], 'the best one that can be played')
    assert.deepEqual(await opened('excused'), ['excused', 1])
    assert.deepEqual(await cards(), { ...rest, daily: 1, excused: 1 })
    await game.setClock('2027-03-02T09:00:00Z')
    assert.deepEqual(await cards(), { ...rest, daily: 1, excused: 6 })
    await game.setClock('2027-03-02T10:00:00Z')
    assert.deepEqual(await cards(), { ...rest, daily: 7, excused: 6 })
    await game.ok('PATCH', '/campaigns/excused', { isPaused: true })
    assert.deepEqual(await cards(), { ...rest, daily: 7, excused: 0 })
    await game.setClock('2027-03-02T12:00:00Z')
    await game.ok('PATCH', '/campaigns/excused', { isPaused: false })

    // A missed day: the pause excuses it in one campaign; in the other, the bank has its spin and the streak is over.
    await game.setClock('2027-03-03T12:00:00Z')
    const { db, wheels } = suite.server.ctx
    let queries = 0
    const counting: Queryable = { query: (...asked) => (queries++, db.query(...asked)) }
    const now = new Date('2027-03-03T12:00:00Z')
    const { merchantId } = (await findMerchant(db, game.slug)) ?? assert.fail()
    const pia = (await findPlayer(db, { merchantId, playerId: 'pia' }, now)) ?? assert.fail()
    assert.equal((await lobbyCards({ db: counting, wheels }, { ...pia, merchantId }, now)).length, 6)
    assert.equal(queries, 4, 'purses, last collections, those of erased players, and pauses')
    const shown = await cards()
    assert.deepEqual(shown as object, { ...rest, daily: 3, excused: 6 })
    for (const campaign of ['daily', 'excused', 'often', 'soon'])
      assert.deepEqual(await opened(campaign), [campaign, shown[campaign]])
    assert.deepEqual(await cards(), shown)
  })

  test('the lobby opens a campaign with free spins, and its cards count those that wait', async (t) => {
    const game = await makeCampaigns('2027-03-01T12:01:00Z', {
      daily: { freeSpins: { every: 'day', zone: 'player' } },
      dailyplay: { freeSpins: { every: 'PT15M', on: 'play' } },
    })
    const link = `${suite.server.url}/spinthewheel/?token=${await game.linkOf('pia')}`
    const { page, pageErrors } = await openGame(t, suite, link, { timezoneId: 'Pacific/Kiritimati' })
    const card = (name: string) => page.locator(`#lobby button[data-campaign="${name}"]`)
    const says = (name: string, text: string) => card(name).getByText(text, { exact: true }).waitFor()
    await untilState(page, 'ready')
    await page.locator('#lobby button[data-campaign="daily"][aria-current]').waitFor()
    for (const name of ['daily', 'dailyplay']) await says(name, '1 spin left')
    for (const name of ['soon', 'main']) await says(name, '0 spins left')
    assert.deepEqual(await game.ledgerOf('pia'), [['free', 'daily']])

    await card('dailyplay').click()
    await page.locator('#lobby button[data-campaign="dailyplay"][aria-current]').waitFor()
    await untilState(page, 'ready')
    assert.equal(await page.locator('#announcer').textContent(), 'You have 1 spin.')
    await says('dailyplay', '1 spin left')
    assert.deepEqual(await game.ledgerOf('pia'), [['free', 'daily']])
    await spin(page)
    await says('dailyplay', '0 spins left')
    await says('daily', '1 spin left')
    assert.deepEqual(pageErrors, [])
  })

  test('free spins count down, and come after midnight without reloading', async (t) => {
    const live = await makeManagementApi(suite.server)
    await live.publish(alwaysWins({}))
    const { token } = (await live.call('POST', '/test-merchant', {})).body
    const call = async (method: string, path: string, body: object): Promise<any> => {
      const reply = await callApi(suite.server, token, method, `/api/v1${path}`, { body })
      assert.equal(reply.status, 200, reply.text)
      return reply.body
    }
    await call('PUT', '/test/clock', { now: '2027-03-27T22:00:00Z' })
    const streaks = [{ length: 2, spins: 3 }]
    const freeSpins = { every: 'day', zone: 'player', streaks }
    await call('PATCH', '/campaigns/main', { freeSpins })
    const linkOf = async (playerId: string) =>
      `${suite.server.url}/spinthewheel/?token=${(await call('POST', '/links', { playerId })).token}`
    const berlin = { timezoneId: 'Europe/Berlin', viewport: { width: 320, height: 568 } }
    const { page, pageErrors } = await openGame(t, suite, await linkOf('pia'), berlin)
    assert.equal(await spin(page), 'won')
    const free = page.locator('#free')
    assert.match(await free.innerText(), /^4 free spins in 00:5\d:\d\d\s+3 extra spins at 2 days in a row$/)
    await page.locator('#action').click()
    await untilState(page, 'noSpins')
    assert.deepEqual(await violations(page), [])
    await call('PUT', '/test/clock', { now: '2027-03-27T23:00:01Z' })
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 3_601_000
    })
    await untilState(page, 'ready')
    assert.equal(await page.locator('#announcer').textContent(), 'You have 4 spins.')
    assert.equal(await page.locator('#note').innerText(), 'Use 4 spins by Monday, 00:00')
    assert.match(await free.innerText(), /^1 free spin in 2[23]:\d\d:\d\d\s+2 days in a row$/)

    // Where only a play collects, the page offers the spin before it is in the balance.
    await call('PATCH', '/campaigns/main', { freeSpins: { every: 'PT1H', on: 'play' } })
    await page.goto(await linkOf('ole'))
    await untilState(page, 'ready')
    assert.equal(await spin(page), 'won')
    assert.match(await page.locator('#note').innerText(), /last spin/)
    assert.deepEqual(pageErrors, [])
  })
})
