import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { uploadCodes } from '../src/stock/code-pools.ts'
import { defaultWheel, type WheelDocument } from '../src/wheels/wheel-document.ts'
import {
  holdAnswers,
  makeArcade,
  makeLink,
  makeShop,
  reach,
  segmentUnderPointer,
  spin,
  turning,
  violations,
  visit,
  wheelOf,
} from './game-scene.ts'
import { makeFolder, post, repository, runCli, times, until } from './scene.ts'

const codeWheel = wheelOf({
  label: '10 % off',
  title: '10 % off your next order',
  instructions: 'Enter the code at the checkout.',
  prize: { kind: 'pool', pool: 'ten' },
})
const phone = { viewport: { width: 390, height: 844 } }

type Session = {
  spinCount: number
  lastPlay: { playId: string; segment: number; label: string } | null
  wins: unknown[]
}

describe('the game page', { concurrency: 3 }, () => {
  const arcade = makeArcade()

  /** What the server says about the player of a link. */
  async function sessionOf(link: string): Promise<Session> {
    const token = new URL(link).searchParams.get('token')
    const answer = await post(`${arcade.server.url}/api/v1/game/session`, undefined, { token })
    assert.equal(answer.status, 200)
    return answer.body as unknown as Session
  }

  test("from the merchant's request to a code in the player's hands, and no other origin hears of it", async (t) => {
    const shop = await makeShop(arcade)
    const { merchantId } = shop.merchant
    await uploadCodes(arcade.server.ctx.db, { merchantId, pool: 'ten' }, ['TEN-0001', 'TEN-0002'], new Date())
    await shop.publish(codeWheel)
    const link = await makeLink(arcade, shop, 2)
    const { page, requests, complaints } = await visit(t, arcade, link, {
      ...phone,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await reach(page, 'ready')
    assert.equal(page.url(), `${arcade.server.url}/spinthewheel/`, 'the token has left the address bar')
    assert.equal(await page.locator('#panel-title').textContent(), 'You have 2 spins.')

    assert.equal(await spin(page), 'won')
    assert.equal(await page.locator('#prize').textContent(), '10 % off your next order')
    assert.equal(
      await page.evaluate(() => document.activeElement?.id),
      'panel-title',
      'the focus is on the result',
    )
    assert.match(await page.locator('#panel').innerText(), /Enter the code at the checkout\.[^]*1 spin left/)
    const code = await page.locator('#panel .code').textContent()
    assert.match(code ?? '', /^TEN-000[12]$/)
    await page.locator('#panel').getByRole('button', { name: 'Copy' }).click()
    await page.locator('#panel').getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code)
    assert.equal(await page.locator('#announcer').textContent(), 'You won! 10 % off your next order')

    await page.locator('#wins summary').click()
    assert.equal(await page.locator('#wins .code').textContent(), code)
    assert.match(await page.locator('#wins').innerText(), /Copy[^]*Enter the code at the checkout\./)
    assert.equal((await sessionOf(link)).wins.length, 1)
    assert.ok(
      requests.every((url) => url.startsWith(arcade.server.url) || url.startsWith('data:')),
      requests.join('\n'),
    )
    assert.equal(requests.filter((url) => url.includes('token=')).length, 1)
    assert.deepEqual(complaints, [])
  })

  const wheels: [string, WheelDocument][] = [
    ['the default one', defaultWheel],
    ...(
      [
        ['top', 'clockwise', 2],
        ['right', 'counterclockwise', 7],
        ['bottom', 'clockwise', 24],
        ['left', 'counterclockwise', 12],
      ] as const
    ).map(([pointer, direction, count]): [string, WheelDocument] => [
      `${count} segments, ${pointer}, ${direction}`,
      {
        ...defaultWheel,
        fallback: 's0',
        look: { pointer, direction },
        segments: times(count, (index) => ({
          id: `s${index}`,
          label: `Field ${index}`,
          color: '#7c3aed',
          weight: 1,
          prize: { kind: 'none' as const },
        })),
      },
    ]),
  ]
  for (const [name, wheel] of wheels) {
    test(`the wheel comes to rest on the segment that was drawn: ${name}`, async (t) => {
      const link = await makeLink(arcade, await makeShop(arcade, { wheel }), 2)
      const { page } = await visit(t, arcade, link, turning)
      for (const _ of times(2, () => undefined)) {
        await reach(page, 'ready', 'won', 'noLuck')
        await spin(page)
        assert.equal(await segmentUnderPointer(page), (await sessionOf(link)).lastPlay?.segment)
      }
    })
  }

  test('it also rests right after the tab slept while the wheel turned', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade), 1)
    const { page } = await visit(t, arcade, link, turning)
    await reach(page, 'ready')
    const devtools = await page.context().newCDPSession(page)
    await page.locator('#action').click()
    // On a slow machine it may rest by now, and then sleeps at rest.
    await reach(page, 'turning', 'won', 'noLuck')
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
    await until(async () => (await sessionOf(link)).lastPlay !== null)
    await devtools.send('Page.setWebLifecycleState', { state: 'active' })
    await reach(page, 'won', 'noLuck')
    assert.equal(await segmentUnderPointer(page), (await sessionOf(link)).lastPlay?.segment)
  })

  test('the wheel turns from the press on, also before there is an answer', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade), 1)
    const { page } = await visit(t, arcade, link, turning)
    await reach(page, 'ready')
    await page.route('**/plays', () => undefined)
    const angle = () =>
      page.evaluate(() => getComputedStyle(document.getElementById('disc') as Element).transform)
    const before = await angle()
    await page.locator('#action').click()
    await until(async () => (await angle()) !== before)
    const during = await angle()
    await until(async () => (await angle()) !== during)
  })

  /** Lets the server play, and loses its answer on the way back, as often as `times` says. */
  async function loseAnswers(page: Page, count: number): Promise<string[]> {
    const bodies: string[] = []
    await page.route('**/api/v1/game/plays', async (route) => {
      bodies.push(route.request().postData() ?? '')
      if (bodies.length > count) return route.continue()
      await route.fetch()
      return route.abort()
    })
    return bodies
  }

  test('a network cut in mid-spin costs nothing: one spin, one outcome, the same request again', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade, { wheel: wheelOf({}) }), 3)
    const { page } = await visit(t, arcade, link, turning)
    await reach(page, 'ready')
    const bodies = await loseAnswers(page, 2)
    await spin(page)
    assert.deepEqual([bodies.length, new Set(bodies).size], [3, 1])
    const { spinCount, lastPlay } = await sessionOf(link)
    assert.equal(spinCount, 2)
    assert.equal(lastPlay?.playId, JSON.parse(bodies[0] as string).playId)
    assert.match(await page.locator('#note').innerText(), /2 spins left/)
  })

  // In real time: a clock of our own would not move the browser's animations along.
  const troubles: [string, (route: Route) => unknown][] = [
    ['no connection', (route) => route.abort()],
    ['no answer', () => undefined],
  ]
  for (const [name, fail] of troubles) {
    test(`after twenty seconds with ${name} it says so and offers to try at once`, async (t) => {
      const link = await makeLink(arcade, await makeShop(arcade, { wheel: wheelOf({}) }), 1)
      const { page } = await visit(t, arcade, link)
      await reach(page, 'ready')
      // Cut until the press, and not a moment less: what succeeds by itself before it would make it a press on the result.
      let isLooked = false
      await page.route('**/plays', async (route) => {
        const isPressed = isLooked && (await page.evaluate(() => document.body.dataset.state)) !== 'waiting'
        return isPressed ? route.continue() : fail(route)
      })
      await page.locator('#action').click()
      await reach(page, 'waiting')
      assert.deepEqual(await violations(page), [])
      isLooked = true
      await page.getByRole('button', { name: 'Try now' }).click()
      await reach(page, 'won')
      assert.equal((await sessionOf(link)).spinCount, 0)
    })
  }

  test('two tabs: the second plays on by itself with what the first left behind', async (t) => {
    const shop = await makeShop(arcade, { wheel: wheelOf({}) })
    const link = await makeLink(arcade, shop, 3)
    const [first, second] = await Promise.all([visit(t, arcade, link), visit(t, arcade, link)])
    await Promise.all([reach(first.page, 'ready'), reach(second.page, 'ready')])
    await spin(first.page)
    // The merchant has published other colours meanwhile, too.
    await shop.publish(wheelOf({ color: '#0ea5e9' }))
    await spin(second.page)
    assert.equal((await sessionOf(link)).spinCount, 1)
    assert.equal(await second.page.locator('#disc path').first().getAttribute('fill'), '#0ea5e9')
  })

  test('a reload while the wheel turns shows the result at once, and only once', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade, { wheel: wheelOf({}) }), 2)
    const { page } = await visit(t, arcade, link, turning)
    await reach(page, 'ready')
    await holdAnswers(page, '**/plays')
    await page.locator('#action').click()
    await until(async () => (await sessionOf(link)).lastPlay !== null)
    await page.reload()
    await reach(page, 'won')
    assert.match(await page.locator('#text').innerText(), /result of your last spin/)
    assert.equal(await segmentUnderPointer(page), 0)
    await page.reload()
    await reach(page, 'ready')
    assert.equal((await sessionOf(link)).spinCount, 1)
  })

  test('a double click is one spin', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade, { wheel: wheelOf({}) }), 3)
    const { page } = await visit(t, arcade, link)
    await reach(page, 'ready')
    const letGo = await holdAnswers(page, '**/plays')
    await page.locator('#action').dblclick()
    await page.locator('#hub').click()
    letGo()
    await reach(page, 'won')
    assert.equal((await sessionOf(link)).spinCount, 2)
  })

  test('the keyboard alone is enough, from the first spin to the proof and the next spin', async (t) => {
    const link = await makeLink(
      arcade,
      await makeShop(arcade, { wheel: wheelOf({ prize: { kind: 'fixed', code: 'KEY' } }) }),
      2,
    )
    const { page } = await visit(t, arcade, link, turning)
    await reach(page, 'ready')
    const tabTo = async (name: string) => {
      const focused = () => page.evaluate(() => document.activeElement?.textContent)
      for (let steps = 0; (await focused()) !== name; steps++) {
        assert.ok(steps < 15, `${name} can't be reached with the tabulator`)
        await page.keyboard.press('Tab')
      }
    }
    await tabTo('Spin the wheel')
    await page.keyboard.press('Enter')
    await reach(page, 'won')
    await tabTo('Copy')
    await tabTo('Verify this spin')
    await page.keyboard.press('Enter')
    await page.getByText('Everything matches: this spin was fair.').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('dialog[open]').count(), 0)
    await page.keyboard.press('Shift+Tab')
    await tabTo('Spin again')
    const letGo = await holdAnswers(page, '**/plays')
    await page.keyboard.press('Space')
    await reach(page, 'turning', 'waiting')
    assert.equal(
      await page.evaluate(() => document.activeElement?.id),
      'action',
      'the focus stays while it turns',
    )
    letGo()
    await reach(page, 'won')
  })

  test('who asked for less motion gets a reveal without turning', async (t) => {
    const link = await makeLink(arcade, await makeShop(arcade), 1)
    const { page } = await visit(t, arcade, link, { reducedMotion: 'reduce' })
    await reach(page, 'ready')
    // Every place of the disc from the press on: it pales, and is then where it will stay.
    await page.evaluate(() => {
      const disc = document.getElementById('disc') as HTMLElement
      const places = new Set<string>()
      Object.assign(window, { places })
      requestAnimationFrame(function look() {
        places.add(getComputedStyle(disc).transform)
        requestAnimationFrame(look)
      })
    })
    await spin(page)
    const places = await page.evaluate(() => (window as unknown as { places: Set<string> }).places.size)
    assert.ok(places <= 2, `the disc was seen at ${places} places`)
    assert.equal(await segmentUnderPointer(page), (await sessionOf(link)).lastPlay?.segment)
    assert.equal(
      await page
        .locator('.bulbs')
        .first()
        .evaluate((bulbs) => bulbs.getAnimations().length),
      0,
    )
  })

  test('every step of the proof is recomputed in the browser, also for a play on an older wheel', async (t) => {
    const shop = await makeShop(arcade, { wheel: wheelOf({ label: 'Old' }) })
    const link = await makeLink(arcade, shop, 2)
    const { page } = await visit(t, arcade, link)
    await reach(page, 'ready')
    await page.locator('#fairness summary').click()
    const shown = await page.locator('#commitment').textContent()
    await spin(page)
    await shop.publish(wheelOf({ label: 'New' }))
    await page.reload()
    await reach(page, 'ready')
    await page.locator('#wins summary').click()
    await page.locator('#wins').getByRole('button', { name: 'Verify this spin' }).click()
    await page.getByText('Everything matches: this spin was fair.').waitFor()
    assert.equal(await page.locator('.steps li.good').count(), 8)
    assert.match(await page.locator('.steps').innerText(), new RegExp(`${shown}[^]*“Old”`))
    const file = join(makeFolder(t), 'proof.json')
    writeFileSync(file, (await page.locator('.proof').textContent()) ?? '')
    const elsewhere = await runCli(['verify', file], {})
    assert.match(elsewhere.stdout, /^1 plays checked, 0 wrong/, 'the command line agrees, without a server')
    assert.deepEqual(await violations(page), [])
  })

  test('a stand-in is explained', async (t) => {
    const link = await makeLink(
      arcade,
      await makeShop(arcade, { wheel: wheelOf({ label: 'Car', stock: 0 }) }),
      1,
    )
    const { page } = await visit(t, arcade, link)
    await reach(page, 'ready')
    assert.equal(await spin(page), 'noLuck')
    assert.match(await page.locator('#text').innerText(), /“Car” was drawn, but none are left/)
    assert.equal(await segmentUnderPointer(page), 1)
  })

  test('HTML, script and style are at most 25 kB compressed, in English and in any other language', () => {
    const folder = join(repository, 'web', 'game', 'dist')
    const size = (file: string) => readFileSync(join(folder, `${file}.br`)).length
    const assets = readdirSync(join(folder, 'assets')).filter((file) => /\.(?:js|css|svg)$/.test(file))
    const isLanguage = (file: string) => /^[a-z]{2}-/.test(file)
    const languages = assets.filter(isLanguage).map((file) => size(`assets/${file}`))
    const rest = assets
      .filter((file) => !isLanguage(file))
      .reduce((sum, file) => sum + size(`assets/${file}`), 0)
    assert.equal(languages.length, 9)
    const total = size('index.html') + rest + Math.max(...languages)
    assert.ok(total <= 25_000, `${total} bytes`)
  })
})
