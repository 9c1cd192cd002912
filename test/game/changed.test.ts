// A wheel that is published while a player has the page open: no player spends a spin on a wheel they have not seen.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { playerLanguages } from '../../src/languages/mail-words.ts'
import { setPause } from '../../src/wheels/wheels.ts'
import {
  makeGameSuite,
  makeLink,
  makeTestMerchant,
  untilState,
  segmentUnderPointer,
  spin,
  turning,
  violations,
  openGame,
  wheelOf,
} from '../scenes/game-scene.ts'
import { post, repository, until } from '../scenes/scene.ts'
import { onLanding, runsAll, someOf } from '../scenes/selection.ts'

describe('a wheel that changes while the page is open', { concurrency: 2, ...onLanding }, () => {
  const suite = makeGameSuite()

  const spinsLeft = async (link: string): Promise<number> => {
    const token = new URL(link).searchParams.get('token')
    return (await post(`${suite.server.url}/api/v1/game/session`, undefined, { token })).body
      .spinCount as number
  }

  for (const [name, options] of [
    ['a turning wheel', turning],
    ['reduced motion', { reducedMotion: 'reduce' }],
  ] as const) {
    const often = options === turning ? onLanding : {}
    test(`is shown and waits for another press, and no spin is spent: ${name}`, often, async (t) => {
      const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({ label: 'Car' }) })
      const link = await makeLink(suite, testMerchant, 3)
      const { page } = await openGame(t, suite, link, options)
      await untilState(page, 'ready')
      await testMerchant.publish(wheelOf({ label: 'Cap' }))
      await page.locator('#action').click()
      await untilState(page, 'changed')
      assert.equal(await spinsLeft(link), 3)
      assert.deepEqual(await labels(page), ['Cap', 'Nothing'])
      assert.match(
        await page.locator('#panel').innerText(),
        /The wheel has changed[^]*No spin was used[^]*3 spins left/,
      )
      assert.match(await page.locator('#announcer').innerText(), /The wheel has changed.*No spin was used/)
      assert.equal(await page.locator('#disc .glow').count(), 0, 'no segment is highlighted as won')
      assert.equal(await segmentUnderPointer(page), 0, 'the wheel is at its start position')
      assert.ok(await page.locator('#action').evaluate((button) => button === document.activeElement))
      assert.deepEqual(await violations(page), [])

      assert.equal(await spin(page), 'won')
      assert.equal(await spinsLeft(link), 2)
      assert.equal(await page.locator('#prize').textContent(), 'Cap')
      await page.getByRole('button', { name: 'Verify this spin' }).first().click()
      await page.getByText('One fact has to be taken on trust.').waitFor()
      assert.match(await page.locator('dialog .steps').innerText(), /“Cap”[^]*refused[^]*“Car”/)
    })
  }

  test('twice in a row is shown and waits each time', onLanding, async (t) => {
    const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({ label: 'One' }) })
    const link = await makeLink(suite, testMerchant, 1)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    for (const label of ['Two', 'Three']) {
      await testMerchant.publish(wheelOf({ label }))
      await page.locator('#action').click()
      await page.locator('body[data-state="turning"]').waitFor()
      await untilState(page, 'changed')
      assert.deepEqual(await labels(page), [label, 'Nothing'])
      assert.equal(await spinsLeft(link), 1)
    }
    assert.equal(await spin(page), 'won')
    assert.equal(await page.locator('#prize').textContent(), 'Three')
    assert.equal(await spinsLeft(link), 0)
  })

  test('after a result is shown too, whatever has changed', async (t) => {
    const base = wheelOf({ label: 'Cup', title: 'A cup' })
    const [first, nothing] = base.segments as [(typeof base.segments)[0], (typeof base.segments)[0]]
    const testMerchant = await makeTestMerchant(suite, { wheel: base })
    const link = await makeLink(suite, testMerchant, 99)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    await spin(page)
    const other = { ...nothing, id: 'other', label: 'Other' }
    for (const changed of someOf([
      { segments: [first, { ...nothing, weight: 1 }] },
      { segments: [{ ...first, title: 'A small cup' }, nothing] },
      { segments: [{ ...first, prize: { kind: 'spins' as const, spins: 1 } }, nothing] },
      { segments: [{ ...first, prize: { kind: 'spins' as const, spins: 2 } }, nothing] },
      { segments: [{ ...first, stock: 5 }, nothing] },
      { segments: [nothing, first] },
      { segments: [first, nothing, other] },
      { segments: [first, nothing, other], fallback: 'other' },
    ])) {
      const before = await spinsLeft(link)
      await testMerchant.publish({ ...base, ...changed })
      await page.locator('#action').click()
      await untilState(page, 'changed')
      assert.equal(await spinsLeft(link), before, JSON.stringify(changed))
    }
  })

  test('only in colours and texts is played at once', async (t) => {
    const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({}) })
    const link = await makeLink(suite, testMerchant, 2)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    const look = { background: '#123456', pointer: 'left' } as const
    const texts = { en: { title: 'Another title' } }
    await testMerchant.publish(wheelOf({ color: '#0ea5e9' }, { name: 'Another name', look, texts }))
    assert.equal(await spin(page), 'won')
    await page.getByRole('heading', { name: 'Another title' }).waitFor()
    assert.equal(await spinsLeft(link), 1)
    await page.getByText('Is it fair?').click()
    await page.getByRole('button', { name: 'Check all my spins' }).click()
    // Which refusals are harmless is for the player to judge: none is called proved.
    await page
      .locator('dialog')
      .getByText(/Spin 1 was refused\. It would have stopped at .*\. No spin was used\.$/)
      .waitFor()
    assert.equal(await page.locator('dialog .good').count(), 1, 'only the verdict')
  })

  test('and is also paused or closed shows that first, and the change once it opens again', async (t) => {
    const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({ label: 'Car' }) })
    const link = await makeLink(suite, testMerchant, 1)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    const { merchantId } = testMerchant.merchant
    const pause = async (isPaused: boolean) => {
      await setPause(suite.server.ctx.db, { merchantId, slug: 'main', isPaused, now: new Date() })
      await until(
        async () => ((await suite.server.ctx.wheels.current(merchantId)).pausedAt !== null) === isPaused,
      )
    }
    await testMerchant.publish(wheelOf({ label: 'Cap' }))
    await pause(true)
    await page.locator('#action').click()
    await untilState(page, 'paused')
    assert.deepEqual(await labels(page), ['Cap', 'Nothing'])
    await pause(false)
    await page.locator('#action').click()
    await untilState(page, 'changed')

    await testMerchant.publish(
      wheelOf({ label: 'Pen' }, { opensAt: new Date(Date.now() + 86_400_000).toISOString() }),
    )
    await page.locator('#action').click()
    await untilState(page, 'closed')
    await testMerchant.publish(wheelOf({ label: 'Pen' }))
    await page.locator('#action').click()
    await untilState(page, 'changed')
    assert.equal(await spinsLeft(link), 1)
    assert.equal(await spin(page), 'won')
    assert.equal(await page.locator('#prize').textContent(), 'Pen')
  })

  test('is also detected by a refresh, before any press', async (t) => {
    const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({ label: 'Car' }) })
    const { page } = await openGame(t, suite, await makeLink(suite, testMerchant, 1))
    await untilState(page, 'ready')
    await testMerchant.publish(wheelOf({ label: 'Cap' }))
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 61_000
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await untilState(page, 'changed')
  })

  test('is explained in every language and fits a small phone', async (t) => {
    const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({ label: 'Number 0' }) })
    const link = await makeLink(suite, testMerchant, 1)
    const languages = runsAll ? playerLanguages : ['ar', 'de']
    const { page } = await openGame(t, suite, link, { viewport: { width: 320, height: 568 } })
    for (const [index, language] of languages.entries()) {
      const texts = JSON.parse(
        readFileSync(join(repository, 'src', 'languages', language, 'game.json'), 'utf8'),
      )
      await page.goto(`${link}&lang=${language}`)
      await untilState(page, 'ready')
      await testMerchant.publish(wheelOf({ label: `Number ${index + 1}` }))
      await page.locator('#action').click()
      await untilState(page, 'changed')
      assert.equal(await page.locator('#panel-title').textContent(), texts['changed.title'])
      assert.equal(await page.locator('#text').textContent(), texts['changed.text'])
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    }
    assert.equal(await spinsLeft(link), 1)
  })
})

async function labels(page: Page): Promise<string[]> {
  return page.locator('#disc svg > g').evaluateAll((segments) => segments.map((one) => one.textContent ?? ''))
}
