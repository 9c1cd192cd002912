import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeGameSuite, openGame, spin, untilState, violations } from './game-scene.ts'
import { alwaysWins, makeManagementApi } from './management-scene.ts'

describe('a link to the lobby', () => {
  const suite = makeGameSuite()

  test('has a card for each campaign; the page stays with the chosen one, and each has its own spins', async (t) => {
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
})
