import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeGameSuite, openGame, spin, untilState, violations } from './game-scene.ts'
import { alwaysWins, callApi, makeManagementApi } from './management-scene.ts'

describe('the lobby and free spins', () => {
  const suite = makeGameSuite()

  test('the lobby has a card for each campaign; the page stays with the chosen one, and each has its own spins', async (t) => {
    const api = await makeManagementApi(suite.server)
    // The default wheel may give spins.
    await api.publish(alwaysWins({}))
    const opensAt = new Date(Date.now() + 86_400_000).toISOString()
    for (const campaign of [
      { campaign: 'summer', name: 'Summer', wheel: 'main', texts: { en: { description: 'All week' } } },
      { campaign: 'winter', name: 'Winter', wheel: 'main', opensAt },
    ])
      assert.equal((await api.call('POST', '/campaigns', campaign)).status, 200)
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
    await spin(page)
    assert.deepEqual(await inView('#pointer', '#panel-title'), ['#pointer', '#panel-title'])
    await card('Summer').getByText('4 spins left').waitFor()
    await card('Main').click()
    await page.locator('#lobby button[aria-current]', { hasText: 'Main' }).waitFor()
    await untilState(page, 'ready')
    await card('Winter').click()
    await untilState(page, 'closed')
    assert.deepEqual(pageErrors, [])
    const player = (await api.call('GET', '/players/pia')).body
    assert.equal(player.spinCount, 1)
    const opened = (await api.call('GET', '/events?types=link.opened')).body.events
    assert.equal(opened.length, 1)
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
