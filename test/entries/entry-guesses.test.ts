// What somebody learns and gets by trying out addresses and codes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { entryCodeAttempts, entryCodesPerHour } from '../../src/entries/entry-limits.ts'
import { type EntryPage, type EntryReply, inTurns, makeEntryPage } from '../scenes/entry-scene.ts'
import { makeServer, type Server, suiteLifetime, times } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeTestMailbox } from '../scenes/test-mailbox.ts'

const atOnce = 8

describe('visitors who try out', onLanding, () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    const mailbox = await makeTestMailbox(lifetime)
    const env = { SMTP_URL: mailbox.url, MAIL_FROM: 'spins@acme.example', TRUST_PROXY: '127.0.0.1' }
    server = await makeServer(lifetime, { env })
  })

  test('codes at full speed from 1,000 addresses of one prefix: few codes, five attempts each, nobody gets in', async () => {
    const page = await makeEntryPage(server, { verify: 'code' })
    const submit = await submitterOf(page)
    const from = times(1_000, (index) => `2001:db8:7:7::${(index + 1).toString(16)}`)
    const firstHour = hourNow()
    const ofVictim = await inTurns(from.slice(0, 500), atOnce, (address) =>
      submit('victim@shop.example', address),
    )
    const ofMany = await inTurns(from.slice(500), atOnce, (address, index) =>
      submit(`somebody${index}@shop.example`, address),
    )
    // Budgets are those of an hour of the clock.
    const hours = hourNow() - firstHour + 1
    const { addressAndNetwork, network } = entryCodesPerHour
    const [sessions, more] = [sessionsOf(ofVictim), sessionsOf(ofMany)]
    assert.ok(sessions.length >= addressAndNetwork && sessions.length <= hours * addressAndNetwork)
    const count = sessions.length + more.length
    assert.ok(count >= network && count <= hours * network, `${count} codes in ${hours} hours`)
    const refused = [...ofVictim, ...ofMany].filter(({ body }) => body.outcome !== 'code_sent')
    assert.ok(refused.every(({ status, body }) => status === 429 && body.code === 'entry_limit_reached'))

    const guesses = [...sessions, ...more].flatMap((session) =>
      times(3 * entryCodeAttempts, (guess) => ({ session, code: String(100_000 + guess) })),
    )
    const replies = await inTurns(guesses, atOnce, (guess, index) =>
      page.send('/proof', guess, { 'X-Forwarded-For': from[index % from.length] as string }),
    )
    const counted = (code: string) => replies.filter(({ body }) => body.code === code).length
    const rightCount = replies.filter(({ body }) => body.token !== undefined).length
    // Once in 3,333 runs, one of the accepted guesses is right.
    assert.ok(rightCount <= 1, `${rightCount} codes were guessed`)
    const [wrong, accepted] = [counted('code_wrong'), count * entryCodeAttempts]
    // A busy server may have counted an attempt without an answer.
    const lost = replies.filter(({ status }) => status >= 500).length
    assert.ok(
      wrong <= accepted && wrong + lost >= accepted,
      `${wrong} attempts, and ${lost} without an answer`,
    )
    assert.equal(counted('code_attempts_used'), replies.length - wrong - lost - rightCount)
  })

  test('with a code, the time of an answer does not tell whether an address has entered, and a difference would be seen', async () => {
    const page = await makeEntryPage(server)
    const setUp = await submitterOf(page)
    for (const index of pairs) assert.equal((await setUp(known(index), `10.9.${index}.1`)).status, 200)
    // A busy machine may hide a difference for a while.
    const seesRefusals = () => differs(page, { email: () => 'none', answer: 'address_refused' }, 'entered')
    assert.ok(await someOf(10, seesRefusals), 'of what is refused at once')
    await page.setUp({ verify: 'code' })
    const seemsToDiffer = () => differs(page, { email: known, answer: 'code_sent' }, 'code_sent')
    assert.ok(await someOf(3, async () => !(await seemsToDiffer())), 'with a code')
  })
})

const pairs = times(80, (index) => index)
const known = (index: number) => `known${index}@shop.example`
const hourNow = () => Math.floor(Date.now() / 3_600_000)
const sessionsOf = (replies: readonly EntryReply[]): string[] =>
  replies.flatMap(({ body }) => (body.outcome === 'code_sent' ? [body.session as string] : []))

async function submitterOf(page: EntryPage) {
  const { body } = await page.show()
  const form = { formVersion: body.form.version, language: 'en', terms: body.terms.hash }
  return async (email: string, from: string): Promise<EntryReply> => {
    const headers = { 'X-Forwarded-For': from, 'Idempotency-Key': randomUUID() }
    for (;;) {
      const reply = await page.send('/entries', { ...form, answers: { email } }, headers)
      // Like the page, repeats what a busy server did not answer.
      if (reply.status < 500) return reply
    }
  }
}

/**
 * Whether one of the two kinds of addresses is answered later than the other, by the ranks of the times. By chance, the
 * share of pairs in which it is differs from a half by 0.17 once in 4,000 times.
 */
async function differs(
  page: EntryPage,
  first: { email: (index: number) => string; answer: string },
  answerToNew: string,
): Promise<boolean> {
  const submit = await submitterOf(page)
  const timed = async (email: string, index: number, expected: string) => {
    const start = performance.now()
    const { body } = await submit(email, `10.8.${index}.1`)
    const took = performance.now() - start
    assert.equal(body.outcome ?? body.code, expected)
    return took
  }
  const ofFirstMs: number[] = []
  const ofNewMs: number[] = []
  for (const index of pairs) {
    const askFirst = async () => ofFirstMs.push(await timed(first.email(index), index, first.answer))
    const askNew = async () => ofNewMs.push(await timed(`${randomUUID()}@shop.example`, index, answerToNew))
    // In turns, so that a slow moment of the machine meets both.
    for (const ask of index % 2 === 0 ? [askFirst, askNew] : [askNew, askFirst]) await ask()
  }
  const later = ofFirstMs.flatMap((one) =>
    ofNewMs.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)),
  )
  const share = later.reduce((sum: number, one) => sum + one, 0) / later.length
  return Math.abs(share - 0.5) > 0.17
}

/** Whether it happens in one of so many tries. */
async function someOf(tries: number, happens: () => Promise<boolean>): Promise<boolean> {
  for (let one = 0; one < tries; one++) if (await happens()) return true
  return false
}
