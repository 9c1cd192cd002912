// Answers that can't be trusted or shown, and links that were damaged on their way to the player.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Play, PlayAnswer } from '../../web/game/api.ts'
import {
  makeGameSuite,
  makeLink,
  makeTestMerchant,
  openGame,
  segmentUnderPointer,
  spin,
  turning,
  untilState,
  wheelOf,
} from '../scenes/game-scene.ts'
import { post, waitMsMax } from '../scenes/scene.ts'
import { onLanding, runsAll } from '../scenes/selection.ts'

describe('a fault between the server and the player', { concurrency: 2 }, () => {
  const suite = makeGameSuite()

  const sessionOf = async (link: string) => {
    const token = new URL(link).searchParams.get('token')
    const { body } = await post(`${suite.server.url}/api/v1/game/session`, undefined, { token })
    return body as { spinCount: number; lastPlay: Play | null }
  }

  /** Changes the server's real answers to plays. Returns the ids of the plays that were sent. */
  async function changeAnswers(page: Page, change: (answer: PlayAnswer) => unknown): Promise<string[]> {
    const sent: string[] = []
    await page.route('**/plays', async (route) => {
      sent.push((route.request().postDataJSON() as { playId: string }).playId)
      const response = await route.fetch({ timeout: waitMsMax })
      await route.fulfill({ response, json: change((await response.json()) as PlayAnswer) })
    })
    return sent
  }

  test('a play that names an unknown wheel is shown, and its proof fails', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 2)
    const { page, pageErrors } = await openGame(t, suite, link, turning)
    await untilState(page, 'ready')
    const sent = await changeAnswers(page, ({ play, ...rest }) => {
      const versionHash = play.proof.versionHash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
      return { ...rest, play: { ...play, proof: { ...play.proof, versionHash } } }
    })
    assert.equal(await spin(page), 'won')
    assert.equal(await segmentUnderPointer(page), 0)
    await page.locator('#panel').getByRole('button', { name: 'Verify this spin' }).click()
    await page.locator('dialog .verdict.bad').waitFor()
    assert.match(await page.locator('dialog .steps li.bad').first().innerText(), /exactly the published one/)
    assert.deepEqual([sent.length, (await sessionOf(link)).spinCount], [1, 1])
    assert.deepEqual(pageErrors, [])
  })

  test(
    'after an answer that can’t be shown, the wheel stops, and the result comes with the session',
    onLanding,
    async (t) => {
      const link = await makeLink(suite, await makeTestMerchant(suite, { wheel: wheelOf({}) }), 5)
      const { page } = await openGame(t, suite, link, turning)
      await untilState(page, 'ready')
      const wrong: ((answer: PlayAnswer) => unknown)[] = [
        (answer) => ({ ...answer, play: null }),
        ({ play, ...rest }) => ({ ...rest, play: { ...play, prize: null } }),
      ]
      for (const [index, change] of wrong.entries()) {
        await changeAnswers(page, change)
        assert.equal(await spin(page), 'won')
        assert.match(await page.locator('#panel').innerText(), /result of your last spin/)
        assert.equal(await segmentUnderPointer(page), 0)
        assert.equal((await sessionOf(link)).spinCount, 4 - index)
      }
      // The session can't be shown either, until the server is well again.
      await page.route('**/session', async (route) => {
        const response = await route.fetch({ timeout: waitMsMax })
        await route.fulfill({ response, json: { ...(await response.json()), wheel: {} } })
      })
      await page.locator('#action').click()
      await untilState(page, 'down')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.getByRole('button', { name: 'Try again' }).click()
      await untilState(page, 'ready')
      assert.equal(await spin(page), 'won')
      assert.equal((await sessionOf(link)).spinCount, 1)
    },
  )

  test('a link that a mail program has broken or lengthened still opens the game', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    const { page, requests } = await openGame(t, suite, link)
    await untilState(page, 'ready')
    const ends = runsAll
      ? ['.', ',', ')', '>', '"', '”', '*', '%20', '%0A', '...', ').', '%E2%80%9D.']
      : ['.', '%20', '”.']
    const broken = `${link.slice(0, -60)}%0A${link.slice(-60, -20)}%0D%0A%20${link.slice(-20)}`
    for (const address of [...ends.map((end) => link + end), broken, `${link}.&lang=en`]) {
      await page.goto('about:blank')
      const asked = requests.length
      await page.goto(address)
      assert.equal(await untilState(page, 'ready', 'invalid'), 'ready', address)
      assert.equal(requests.slice(asked).filter((url) => url.endsWith('/session')).length, 1, address)
      await page.reload()
      assert.equal(await untilState(page, 'ready', 'invalid'), 'ready', `${address} after a reload`)
    }
  })

  test('a link without its slash is redirected to the game, and nothing keeps its token', async (t) => {
    const link = await makeLink(suite, await makeTestMerchant(suite), 1)
    const short = `${link.replace('/?', '?')}&lang=de`
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await fetch(short, { method, redirect: 'manual' })
      assert.deepEqual(
        [status, headers.get('location'), headers.get('cache-control'), headers.get('referrer-policy')],
        [302, `spinthewheel/${new URL(short).search}`, 'no-store', 'no-referrer'],
      )
    }
    const elsewhere = await fetch(`${suite.server.url}/spinthewheel?//evil.example/`, { redirect: 'manual' })
    assert.equal(elsewhere.headers.get('location'), 'spinthewheel/?//evil.example/')
    const { page } = await openGame(t, suite, short)
    await untilState(page, 'ready')
    assert.equal(page.url(), `${suite.server.url}/spinthewheel/?lang=de`)
  })
})
