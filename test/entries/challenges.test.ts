import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { type EntryPage, makeEntryPage } from '../scenes/entry-scene.ts'
import { makeServer, type Server, suiteLifetime, times } from '../scenes/scene.ts'
import { entriesPerHour } from '../../src/entries/entry-limits.ts'

describe('a challenge before an entry', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let ahead = 0
  before(async () => {
    server = await makeServer(lifetime, {
      env: { TRUST_PROXY: '127.0.0.1' },
      now: () => new Date(Date.now() + ahead),
    })
  })

  const payloadOf = (challenge: object, solution: object) =>
    Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')

  async function solve({ send }: EntryPage, headers: Record<string, string> = {}) {
    const { body: challenge } = await send('/challenges', {}, headers)
    const solution = await solveChallenge({ challenge, deriveKey, timeout: 600_000 })
    assert.ok(solution !== null)
    return { challenge, solution, challengeText: payloadOf(challenge, solution) }
  }

  test('an entry needs a solution, which counts once', async () => {
    const page = await makeEntryPage(server, { challenge: 'always' })
    assert.equal((await page.show()).body.challenge, 'required')
    const without = await page.enter({ email: 'a@shop.example' })
    assert.equal(without.status, 403)
    assert.equal(without.body.code, 'challenge_required')
    const { challengeText: challenge } = await solve(page)
    const entered = await page.enter({ email: 'a@shop.example' }, { challenge })
    assert.equal(entered.status, 200, JSON.stringify(entered.body))
    assert.equal(
      (await page.enter({ email: 'b@shop.example' }, { challenge })).body.code,
      'challenge_invalid',
    )
  })

  test('of many entries with one solution at once, one is made', async () => {
    const page = await makeEntryPage(server, { challenge: 'always' })
    const { challengeText: challenge } = await solve(page)
    const replies = await Promise.all(
      times(10, (index) => page.enter({ email: `a${index}@shop.example` }, { challenge })),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  })

  test('a wrong, spliced, foreign or expired solution is refused', async () => {
    const page = await makeEntryPage(server, { challenge: 'always' })
    const refused = async (challenge: string) =>
      (await page.enter({ email: 'a@shop.example' }, { challenge })).body.code
    const { challenge, solution, challengeText } = await solve(page)
    const wrong = {
      ...solution,
      derivedKey: solution.derivedKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    }
    assert.equal(await refused('nonsense'), 'challenge_invalid')
    assert.equal(await refused(payloadOf({}, {})), 'challenge_invalid')
    assert.equal(await refused(payloadOf(challenge, wrong)), 'challenge_invalid')
    const later = { ...challenge.parameters, expiresAt: challenge.parameters.expiresAt + 9_999 }
    assert.equal(await refused(payloadOf({ ...challenge, parameters: later }, solution)), 'challenge_invalid')
    const cheap = { ...challenge.parameters, cost: 1 }
    assert.equal(await refused(payloadOf({ ...challenge, parameters: cheap }, solution)), 'challenge_invalid')
    const unsigned = { parameters: challenge.parameters }
    assert.equal(await refused(payloadOf(unsigned, solution)), 'challenge_invalid')
    const other = await makeEntryPage(server, { challenge: 'always' })
    assert.equal(await refused((await solve(other)).challengeText), 'challenge_invalid')
    const elsewhere = await solve(page, { 'X-Forwarded-For': '203.0.113.9' })
    assert.equal(await refused(elsewhere.challengeText), 'challenge_invalid')
    ahead = 601_000
    assert.equal(await refused(challengeText), 'challenge_expired')
    ahead = 0
    assert.equal((await page.enter({ email: 'a@shop.example' }, { challenge: challengeText })).status, 200)
  })

  test('many entries of one network make the next ones suspicious', async () => {
    const page = await makeEntryPage(server, { challenge: 'suspicious' })
    for (const index of times(entriesPerHour.suspicious, (one) => one))
      assert.equal((await page.enter({ email: `a${index}@shop.example` })).status, 200)
    assert.equal((await page.enter({ email: 'last@shop.example' })).body.code, 'challenge_required')
    assert.equal((await page.show()).body.challenge, 'required')
  })

  test('throw-away addresses are refused where the merchant wants it', async () => {
    const strict = await makeEntryPage(server, { refusesDisposable: true })
    const refused = await strict.enter({ email: 'a@mailinator.com' })
    assert.equal(refused.body.code, 'address_disposable')
    assert.equal(refused.body.errors[0].pointer, '/answers/email')
    const open = await makeEntryPage(server)
    assert.equal((await open.enter({ email: 'a@mailinator.com' })).status, 200)
  })
})
