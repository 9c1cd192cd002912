import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { playerLanguages } from '../../src/languages/mail-words.ts'
import { uploadCodes } from '../../src/stock/code-pools.ts'
import { fontNames } from '../../src/wheel-document/look-choices.ts'
import { defaultWheel, type WheelDocument } from '../../src/wheel-document/wheel-document.ts'
import {
  holdResponses,
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
import { callApi } from '../scenes/management-scene.ts'
import { makeFolder, post, repository, runCli, times, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

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
  const suite = makeGameSuite()

  /** The session of a link's player, from the server. */
  async function sessionOf(link: string): Promise<Session> {
    const token = new URL(link).searchParams.get('token')
    const answer = await post(`${suite.server.url}/api/v1/game/session`, undefined, { token })
    assert.equal(answer.status, 200)
    return answer.body as unknown as Session
  }

  test("a player gets from the merchant's link to a prize code, with no request to another origin", async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { merchantId } = testMerchant.merchant
    await uploadCodes(suite.server.ctx.db, { merchantId, pool: 'ten' }, ['TEN-0001', 'TEN-0002'], new Date())
    await testMerchant.publish(codeWheel)
    const link = await makeLink(suite, testMerchant, 2)
    const { page, requests, pageErrors } = await openGame(t, suite, link, {
      ...phone,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await untilState(page, 'ready')
    const [session, ...more] = await page.evaluate(() =>
      performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/game/session')),
    )
    const parsedAt = await page.evaluate(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).domInteractive,
    )
    assert.deepEqual(more, [])
    assert.ok((session?.startTime ?? Infinity) < parsedAt, 'the session is requested before the script runs')
    assert.equal(
      page.url(),
      `${suite.server.url}/spinthewheel/`,
      'the token was removed from the address bar',
    )
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
    // The focus reads the title and what describes it; announcing it too would say everything twice.
    assert.equal(await page.locator('#panel-title').getAttribute('aria-describedby'), 'prize text')
    assert.equal(await page.locator('#announcer').textContent(), '')

    assert.equal(await page.locator('#wins').innerText(), 'Your wins (1)')
    assert.equal((await sessionOf(link)).wins.length, 1)
    assert.ok(
      requests.every((url) => url.startsWith(suite.server.url) || url.startsWith('data:')),
      requests.join('\n'),
    )
    assert.equal(requests.filter((url) => url.includes('token=')).length, 1)
    assert.deepEqual(pageErrors, [])
  })

  const wheels: [string, WheelDocument][] = [
    ['the default wheel', defaultWheel],
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
  for (const [index, [name, wheel]] of wheels.entries()) {
    test(`the wheel stops on the drawn segment: ${name}`, index === 0 ? {} : onLanding, async (t) => {
      const link = await makeLink(suite, await makeTestMerchant(suite, { wheel }), 2)
      const { page } = await openGame(t, suite, link, turning)
      for (const _ of times(2, () => undefined)) {
        await untilState(page, 'ready', 'won', 'noLuck')
        await spin(page)
        assert.equal(await segmentUnderPointer(page), (await sessionOf(link)).lastPlay?.segment)
      }
    })
  }

  test('the wheel stops on its segment after the tab was suspended in the spin', onLanding, async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    const { page } = await openGame(t, suite, link, turning)
    await untilState(page, 'ready')
    const devtools = await page.context().newCDPSession(page)
    await page.locator('#action').click()
    // On a slow machine the wheel may have stopped already; then the tab is suspended after the spin.
    await untilState(page, 'turning', 'won', 'noLuck')
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
    await until(async () => (await sessionOf(link)).lastPlay !== null)
    await devtools.send('Page.setWebLifecycleState', { state: 'active' })
    await untilState(page, 'won', 'noLuck')
    assert.equal(await segmentUnderPointer(page), (await sessionOf(link)).lastPlay?.segment)
  })

  test('the wheel turns from the press, before the response arrives', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    const { page } = await openGame(t, suite, link, turning)
    await untilState(page, 'ready')
    await page.route('**/plays', () => undefined)
    const angle = () =>
      page.evaluate(() => getComputedStyle(document.getElementById('disc') as Element).transform)
    const before = await angle()
    // A layer that is made at the press delays the first frames by the time to paint it.
    const isLayer = (id: string) =>
      page.evaluate((one) => getComputedStyle(document.getElementById(one) as Element).willChange, id)
    for (const id of ['rim', 'disc', 'hub', 'pointer', 'panel-title', 'action'])
      assert.equal(await isLayer(id), 'transform', id)
    await page.locator('#action').click()
    await until(async () => (await angle()) !== before)
    const during = await angle()
    await until(async () => (await angle()) !== during)
  })

  /** Lets the server play and drops its response, `times` times. */
  async function dropResponses(page: Page, count: number): Promise<string[]> {
    const bodies: string[] = []
    await page.route('**/api/v1/game/plays', async (route) => {
      bodies.push(route.request().postData() ?? '')
      if (bodies.length > count) return route.continue()
      await route.fetch()
      return route.abort()
    })
    return bodies
  }

  test('a network failure in mid-spin repeats the same request: one spin, one outcome', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 3)
    const { page } = await openGame(t, suite, link, turning)
    await untilState(page, 'ready')
    const bodies = await dropResponses(page, 2)
    await spin(page)
    assert.deepEqual([bodies.length, new Set(bodies).size], [3, 1])
    const { spinCount, lastPlay } = await sessionOf(link)
    assert.equal(spinCount, 2)
    assert.equal(lastPlay?.playId, JSON.parse(bodies[0] as string).playId)
    assert.match(await page.locator('#note').innerText(), /2 spins left/)
  })

  // In real time: a mocked clock would not advance the browser's animations.
  const troubles: [string, (route: Route) => unknown][] = [
    ['no connection', (route) => route.abort()],
    ['no response', () => undefined],
  ]
  for (const [name, fail] of troubles) {
    const often = name === 'no response' ? {} : onLanding
    test(
      `after three seconds with ${name} the page says so and offers to retry at once`,
      often,
      async (t) => {
        const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 1)
        const { page } = await openGame(t, suite, link)
        await untilState(page, 'ready')
        // The network is cut until the press: a retry that succeeded before it would make it a press on the result.
        let isLooked = false
        await page.route('**/plays', async (route) => {
          const isPressed = isLooked && (await page.evaluate(() => document.body.dataset.state)) !== 'waiting'
          return isPressed ? route.continue() : fail(route)
        })
        await page.locator('#action').click()
        await untilState(page, 'waiting')
        assert.deepEqual(await violations(page), [])
        isLooked = true
        await page.getByRole('button', { name: 'Try now' }).click()
        await untilState(page, 'won')
        assert.equal((await sessionOf(link)).spinCount, 0)
      },
    )
  }

  test('the second of two tabs continues with the spins that the first left', async (t) => {
    const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({}) })
    const link = await makeLink(suite, testMerchant, 3)
    const [first, second] = await Promise.all([openGame(t, suite, link), openGame(t, suite, link)])
    await Promise.all([untilState(first.page, 'ready'), untilState(second.page, 'ready')])
    await spin(first.page)
    // The merchant has also published other colours meanwhile.
    await testMerchant.publish(wheelOf({ color: '#0ea5e9' }))
    await spin(second.page)
    assert.equal((await sessionOf(link)).spinCount, 1)
    assert.equal(await second.page.locator('#disc path').first().getAttribute('fill'), '#0ea5e9')
  })

  test('a reload while the wheel turns shows the result at once, and only once', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 2)
    const { page } = await openGame(t, suite, link, turning)
    await untilState(page, 'ready')
    await holdResponses(page, '**/plays')
    await page.locator('#action').click()
    await until(async () => (await sessionOf(link)).lastPlay !== null)
    await page.reload()
    await untilState(page, 'won')
    assert.match(await page.locator('#text').innerText(), /result of your last spin/)
    assert.equal(await segmentUnderPointer(page), 0)
    await page.reload()
    await untilState(page, 'ready')
    assert.equal((await sessionOf(link)).spinCount, 1)
  })

  test('a double click is one spin', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 3)
    const { page } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    const release = await holdResponses(page, '**/plays')
    await page.locator('#action').dblclick()
    await page.locator('#hub').click()
    release()
    await untilState(page, 'won')
    assert.equal((await sessionOf(link)).spinCount, 2)
  })

  test('the keyboard is enough, from the first spin to the proof and the next spin', async (t) => {
    const link = await makeLink(
      suite,
      await makeTestMerchant(suite, { wheel: wheelOf({ prize: { kind: 'fixed', code: 'KEY' } }) }),
      2,
    )
    const { page } = await openGame(t, suite, link, turning)
    await untilState(page, 'ready')
    const tabTo = async (name: string) => {
      const focused = () => page.evaluate(() => document.activeElement?.textContent)
      for (let steps = 0; (await focused()) !== name; steps++) {
        assert.ok(steps < 15, `${name} can't be reached with the tabulator`)
        await page.keyboard.press('Tab')
      }
    }
    await tabTo('Spin the wheel')
    await page.keyboard.press('Enter')
    await untilState(page, 'won')
    await tabTo('Copy')
    await tabTo('Verify this spin')
    await page.keyboard.press('Enter')
    const verdict = page.getByRole('dialog', { description: 'Everything matches: this spin was fair.' })
    await verdict.waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    assert.equal(await focused(), 'Spin number 1, recomputed')
    await page.setViewportSize({ width: 320, height: 568 })
    for (const id of ['#verify-title', '#verdict'])
      assert.equal(await page.locator(id).evaluate(isInView), true, `${id} is in view`)
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('dialog[open]').count(), 0)
    assert.equal(await focused(), 'Verify this spin')
    await page.getByText('Is it fair?').click()
    await page.getByRole('button', { name: 'Check all my spins' }).press('Enter')
    await page.getByRole('dialog', { description: '1 spin checked: everything matches.' }).waitFor()
    assert.equal(await focused(), 'Is it fair?')
    await page.keyboard.press('Escape')
    await page.locator('#panel').getByRole('button', { name: 'Verify this spin' }).focus()
    await page.keyboard.press('Shift+Tab')
    await tabTo('Spin again')
    const release = await holdResponses(page, '**/plays')
    await page.keyboard.press('Space')
    await untilState(page, 'turning', 'waiting')
    assert.equal(
      await page.evaluate(() => document.activeElement?.id),
      'action',
      'the focus stays while the wheel turns',
    )
    release()
    await untilState(page, 'won')
  })

  test('reduced motion reveals the result without turning the wheel', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    const { page } = await openGame(t, suite, link, { reducedMotion: 'reduce' })
    await untilState(page, 'ready')
    // Every position of the wheel from the press on: it fades, and then has its final position.
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
    assert.ok(places <= 2, `the wheel was seen at ${places} positions`)
    assert.equal(await segmentUnderPointer(page), (await sessionOf(link)).lastPlay?.segment)
    assert.equal(
      await page
        .locator('.bulbs')
        .first()
        .evaluate((bulbs) => bulbs.getAnimations().length),
      0,
    )
  })

  test(
    'every step of the proof is recomputed in the browser, for a play on an older wheel too',
    onLanding,
    async (t) => {
      const testMerchant = await makeTestMerchant(suite, { wheel: wheelOf({ label: 'Old' }) })
      const link = await makeLink(suite, testMerchant, 2)
      const { page } = await openGame(t, suite, link)
      await untilState(page, 'ready')
      await page.locator('#fairness summary').first().click()
      const shown = await page.locator('#commitment').textContent()
      await spin(page)
      await testMerchant.publish(wheelOf({ label: 'New' }))
      await page.reload()
      await untilState(page, 'ready')
      await page.locator('#fairness summary').first().click()
      await page.getByRole('button', { name: 'Check all my spins' }).click()
      await page.getByRole('button', { name: 'Spin 1: Old' }).click()
      await page.getByText('Everything matches: this spin was fair.').waitFor()
      assert.equal(await page.locator('.steps li.good').count(), 8)
      assert.match(await page.locator('.steps').innerText(), /“Old”/)
      await page.getByText('Show the calculation').click()
      assert.ok((await page.locator('dialog').innerText()).includes(shown ?? '?'))
      const file = join(makeFolder(t), 'proof.json')
      writeFileSync(file, (await page.locator('.proof').textContent()) ?? '')
      const elsewhere = await runCli(['verify', file], {})
      assert.match(elsewhere.stdout, /^1 plays checked, 0 wrong/, 'the command line agrees, without a server')
      assert.deepEqual(await violations(page), [])
    },
  )

  test('a prize that is handed over has a number, by which the till of that merchant finds it', async (t) => {
    const merchant = await makeTestMerchant(suite, { wheel: wheelOf({ instructions: 'At the till.' }) })
    const { page } = await openGame(t, suite, await makeLink(suite, merchant, 1))
    await untilState(page, 'ready')
    assert.equal(await spin(page), 'won')
    const [, number = ''] = /Prize number: (\S+)/.exec(await page.locator('#details').innerText()) ?? []
    const find = async (code: string, { token } = merchant) =>
      (await callApi(suite.server, token, 'GET', `/api/v1/prizes?code=${code}`)).body.prizes
    const [prize] = await find(number)
    assert.deepEqual([prize?.number, prize?.playerId], [number, 'pia'])
    assert.deepEqual(await find(`%20${number.replace('-', '').toLowerCase()}`), [prize])
    assert.deepEqual(await find(number.slice(0, -1) + (number.endsWith('0') ? '1' : '0')), [])
    assert.deepEqual(await find(number, await makeTestMerchant(suite)), [])

    await callApi(suite.server, merchant.token, 'PUT', `/api/v1/prizes/${prize.playId}/redemption`)
    assert.equal((await find(number))[0].state, 'redeemed')
    await page.reload()
    await untilState(page, 'noSpins')
    assert.doesNotMatch(await page.locator('main').innerText(), /Prize number/)
  })

  test('HTML, script and style are at most 60 kB compressed, in every language', () => {
    const folder = join(repository, 'web', 'game', 'dist')
    const size = (file: string) => readFileSync(join(folder, `${file}.br`)).length
    const all = readdirSync(join(folder, 'assets')).filter((file) => /\.(?:js|css|svg)$/.test(file))
    // Only visitors load the entry and its texts.
    const isOfEntry = (file: string) =>
      /^(?:enter|solver)-/.test(file) ||
      readFileSync(join(folder, 'assets', file), 'utf8').includes('"tooYoung.title"')
    const assets = all.filter((file) => !isOfEntry(file))
    const isLanguage = (file: string) => /^[a-z]{2}-/.test(file)
    const languages = assets.filter(isLanguage).map((file) => size(`assets/${file}`))
    const rest = assets
      .filter((file) => !isLanguage(file))
      .reduce((sum, file) => sum + size(`assets/${file}`), 0)
    // English is in the script.
    assert.equal(languages.length, playerLanguages.length - 1)
    const total = size('index.html') + rest + Math.max(...languages)
    assert.ok(total <= 60_000, `${total} bytes`)
    const ofEntry = all.filter(isOfEntry)
    const entryTexts = ofEntry.filter(isLanguage).map((file) => size(`assets/${file}`))
    assert.equal(entryTexts.length, playerLanguages.length - 1)
    const entry = ofEntry
      .filter((file) => !isLanguage(file))
      .reduce((sum, file) => sum + size(`assets/${file}`), 0)
    assert.ok(entry + Math.max(...entryTexts) <= 14_000, `${entry} bytes for visitors`)
    const first = readFileSync(join(folder, 'index.html'), 'utf8').match(/assets\/[^"]+\.(?:js|css)/g)
    assert.equal(first?.length, 2, 'one script and one style are all that the game needs to start')
    // A theme's pictures are drawn by its styles; its font is all that it adds.
    const bytesOf = (name: string) => readFileSync(join(folder, 'assets', name)).length
    const fonts = readdirSync(join(folder, 'assets')).filter((file) =>
      /-latin(-ext)?-wght.*woff2$/.test(file),
    )
    const byFont = Map.groupBy(fonts, (file) => file.split('-')[0])
    assert.equal(byFont.size, fontNames.length - 1)
    for (const [name, files] of byFont) {
      const withFont = total + files.reduce((sum, file) => sum + bytesOf(file), 0)
      assert.ok(withFont <= 120_000, `${name}: ${withFont} bytes`)
    }
    assert.equal(
      readFileSync(join(folder, 'font-licences.txt'), 'utf8').match(/^SIL OPEN FONT LICENSE/gm)?.length,
      byFont.size,
    )
  })
})

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}
