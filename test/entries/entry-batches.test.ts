import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { entryBudget, readUsed, useBudgets } from '../../src/entries/budgets.ts'
import { claimEntries, type ClaimVerdict, type EntryClaim } from '../../src/entries/claim-entry.ts'
import { entriesPerHour } from '../../src/entries/entry-limits.ts'
import { hashRequest } from '../../src/entries/entry-requests.ts'
import { findOpenEntry } from '../../src/entries/find-entry.ts'
import { budgetSecret, readVisitorKeys } from '../../src/entries/visitor-keys.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { Refusal } from '../../src/refusals.ts'
import { type EntryPage, makeEntryPage } from '../scenes/entry-scene.ts'
import { makeServer, openTestDatabase, type Server, suiteLifetime, times } from '../scenes/scene.ts'

describe('visitors who enter together', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
  })

  /** One time, so that no budget begins anew in the middle of a test. */
  const now = new Date()

  /** Submissions whose forms were checked, as they wait for a batch. */
  async function claimsOf({ merchant }: EntryPage) {
    const found = await findOpenEntry(server.ctx, { merchant, campaign: 'main' })
    const { merchantId, clockAheadMs } = found.merchant
    return (address: string, more: Partial<EntryClaim> = {}, key = randomUUID()): EntryClaim => ({
      merchantId,
      clockAheadMs,
      merchant: found.merchant,
      campaign: found.wheel.campaign,
      entry: found.entry,
      fold: address,
      address,
      answers: { email: address, news: true },
      consents: [{ field: 'news', purpose: 'marketing' }],
      language: 'en',
      proof: undefined,
      network: '203.0.113.0/24',
      timeZone: undefined,
      request: hashRequest(found.entry, key, { address }),
      solved: { asked: 'never', solution: undefined },
      ...more,
    })
  }

  const shown = (verdict: ClaimVerdict | Refusal) =>
    verdict instanceof Refusal || verdict.outcome === 'refused' ? verdict.code : verdict.outcome
  const claim = async (claims: readonly EntryClaim[], db = server.ctx.db) =>
    (await claimEntries(db, claims, now)).map(shown)
  const solvedBy = (nonce: string): EntryClaim['solved'] => ({
    asked: 'always',
    solution: { nonce, expiresAt: new Date(now.getTime() + 60_000) },
  })

  test('those who are refused change nothing, and the others enter', async () => {
    const page = await makeEntryPage(server)
    const { db } = server.ctx
    const { merchantId } = page.api.merchant
    const secret = budgetSecret(await readVisitorKeys(db))
    const full = '198.51.100.0/24'
    const uses = times(entriesPerHour.network - 1, () => ({ merchantId, budgets: [entryBudget(full)] }))
    await db.transaction((tx) => useBudgets(tx, { secret, now }, uses))
    const make = await claimsOf(page)
    const key = randomUUID()
    assert.deepEqual(await claim([make('known@shop.example', {}, key)]), ['entered'])
    const nonce = randomUUID()
    const batch = [
      make('ann@shop.example'),
      make('known@shop.example'),
      make('other@shop.example', {}, key),
      make('bob@shop.example', { solved: solvedBy(nonce) }),
      make('second@shop.example', { solved: solvedBy(nonce) }),
      make('unsolved@shop.example', { solved: { asked: 'always', solution: undefined } }),
      make('last@shop.example', { network: full }),
      make('late@shop.example', { network: full }),
      make('known@shop.example', {}, key),
      make('ann@shop.example'),
    ]
    assert.deepEqual(await claim(batch), [
      'entered',
      'entry_known',
      'idempotency_key_reused',
      'entered',
      'challenge_invalid',
      'challenge_required',
      'entered',
      'entry_limit_reached',
      'entered',
      'entry_known',
    ])
    const used = (network: string) => readUsed(db, { merchantId, secret, now }, entryBudget(network))
    assert.equal(await used(full), entriesPerHour.network)
    // Whoever asks for a known address is counted too, so that nobody can try out many.
    assert.equal(await used('203.0.113.0/24'), 5)
    const { players } = (await page.api.call('GET', '/players')).body
    assert.deepEqual(
      players.map(({ spinCount }: any) => spinCount),
      [2, 2, 2, 2],
    )
    const { entries } = (await page.api.call('GET', '/campaigns/main/entries')).body
    assert.deepEqual(entries.map(({ address }: any) => address).toSorted(), [
      'ann@shop.example',
      'bob@shop.example',
      'known@shop.example',
      'last@shop.example',
    ])
    assert.ok(entries.every(({ consents }: any) => consents.length === 1))
    assert.deepEqual((await auditLedger(db)).findings, [])
  })

  test('a campaign takes as many as it has room for, and the solutions of the others count later', async () => {
    const page = await makeEntryPage(server, { entriesMax: 3 })
    const make = await claimsOf(page)
    const visitors = times(5, (index) => ({ address: `v${index}@shop.example`, nonce: randomUUID() }))
    const claims = visitors.map(({ address, nonce }) => make(address, { solved: solvedBy(nonce) }))
    const full = ['entered', 'entered', 'entered', 'entry_full', 'entry_full']
    assert.deepEqual(await claim(claims), full)
    assert.equal((await page.api.call('GET', '/campaigns/main/entry')).body.entries.entered, 3)
    await page.setUp({ entriesMax: 4 })
    const again = await claimsOf(page)
    const left = visitors.slice(3).map(({ address, nonce }) => again(address, { solved: solvedBy(nonce) }))
    assert.deepEqual(await claim(left), ['entered', 'entry_full'])
  })

  test('codes are sent to those who need one, as many as their address gets, and others enter', async () => {
    const page = await makeEntryPage(server)
    const make = await claimsOf(page)
    const { entry } = make('any@shop.example')
    const waits = { entry: { ...entry, verify: 'code' as const } }
    // No two of one address share a transaction, so the sixth sees the five before it.
    const claims = [...times(6, () => make('ann@shop.example', waits)), make('bob@shop.example')]
    assert.deepEqual(await claim(claims), [...times(5, () => 'code_sent'), 'entry_limit_reached', 'entered'])
    const repeated = await claimEntries(server.ctx.db, claims.slice(0, 1), now)
    assert.deepEqual(
      repeated.map((one) => 'isRepeat' in one),
      [true],
    )
  })

  test('the same submissions over two connections are answered alike, and made once', async (t) => {
    const page = await makeEntryPage(server)
    const make = await claimsOf(page)
    const claims = times(8, (index) => make(`v${index}@shop.example`))
    const other = openTestDatabase(t, server.target)
    const replies = await Promise.all([
      claimEntries(server.ctx.db, claims, now),
      claimEntries(other, claims.toReversed(), now),
    ])
    const [one, two] = replies.map((verdicts) =>
      verdicts.map((verdict) => ('playerId' in verdict ? verdict.playerId : shown(verdict))),
    )
    assert.deepEqual(one, two?.toReversed())
    assert.equal(new Set(one).size, claims.length)
    assert.equal((await page.api.call('GET', '/campaigns/main/entry')).body.entries.entered, claims.length)
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('an entry that the database does not take fails alone', async () => {
    const page = await makeEntryPage(server)
    const make = await claimsOf(page)
    const claims = times(5, (index) => make(`v${index}@shop.example`, index === 2 ? { language: '\0' } : {}))
    const settled = await Promise.allSettled(claims.map((one) => server.ctx.entries.submit(one)))
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? shown(one.value) : 'failed')),
      ['entered', 'entered', 'failed', 'entered', 'entered'],
    )
  })
})
