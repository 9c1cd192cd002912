import { campaignOf } from '../campaign-ref.ts'
import { untilDone } from '../db/database.ts'
import { shardOf } from '../players/shard.ts'
import { Refusal } from '../refusals.ts'
import { zoned } from '../wheel-document/schedule.ts'
import type { Context } from './entry-context.ts'
import { sessionToken, shownCode } from './ask-for-code.ts'
import { readSolved } from './challenges.ts'
import { type ClaimVerdict, type EntryClaim, verdictOfEarlier } from './claim-entry.ts'
import { isDisposable } from './disposable.ts'
import { openGame, readPass } from './entry-game.ts'
import { type EntryRequest, findRequests, hashRequest } from './entry-requests.ts'
import { findOpenEntry, type PublicEntry, refuseClosed } from './find-entry.ts'
import { askedAt, type EntryAnswer, type EntryField } from './form.ts'
import { isTooYoung, readAnswers, type ReadAnswers, refuseWrong } from './read-answers.ts'

/** What the page of visitors sends. */
type Submission = {
  formVersion: number
  language: string
  answers: Record<string, EntryAnswer>
  /** The hash of the terms that were shown. */
  terms: string
  challenge?: string
  pass?: string
  timeZone?: string
}

/** Enters a visitor, or sends a code that must be typed first. */
export async function submitEntry(
  ctx: Context,
  address: { merchant: string; campaign: string },
  submission: Submission & { key: string; network: string },
) {
  const found = await findOpenEntry(ctx, address)
  const { key, formVersion, language, answers, terms, timeZone } = submission
  const request = hashRequest(found.entry, key, { formVersion, language, answers, terms })
  try {
    const { verdict, proof } = await claimOf(ctx, found, { submission, request }).then(
      async (claim) => ({ verdict: await ctx.entries.submit(claim), proof: claim.proof }),
      async (error: unknown) => ({
        verdict: (await askAgain(ctx, found, request)) ?? failed(error),
        proof: undefined,
      }),
    )
    if (isNew(verdict)) ctx.happenings.count(found.entry, 'submitted', found.now)
    if (verdict instanceof Refusal) throw verdict
    if (verdict.outcome === 'refused') throw new Refusal(verdict.code)
    if (verdict.outcome === 'entered')
      return await openGame(ctx, found, { ...verdict, isProved: hasProved(proof, verdict), timeZone })
    const { session } = verdict
    return { outcome: verdict.outcome, session: await sessionToken(ctx, session), ...shownCode(session) }
  } catch (error) {
    if (error instanceof Refusal) await countRefusal(ctx, found, error)
    throw error
  }
}

/** What the same submission led to before. The form may have changed since, so that it would be refused now. */
async function askAgain(
  ctx: Context,
  { merchant, entry, now }: PublicEntry,
  request: EntryRequest,
): Promise<ClaimVerdict | undefined> {
  return ctx.entryTurns.run(entry.merchantId, () =>
    untilDone(async () => {
      const [earlier] = await findRequests(ctx.db, [request])
      return earlier && verdictOfEarlier(ctx.db, merchant, earlier, now)
    }),
  )
}

/** A refusal is an answer to a form that was sent. */
function failed(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** Whether this browser proved the address of the visitor before. */
function hasProved(proof: EntryClaim['proof'], { playerId }: { playerId: string }): boolean {
  return proof !== undefined && 'passOf' in proof && proof.isProved && proof.passOf === playerId
}

/** Whether it is the answer to a form that was not sent before. */
function isNew(verdict: ClaimVerdict | Refusal): boolean {
  if (verdict instanceof Refusal) return verdict.code !== 'idempotency_key_reused'
  return verdict.isRepeat !== true
}

/** A submission that may be made. Everything here happens before anything is stored. */
async function claimOf(
  ctx: Context,
  found: PublicEntry,
  { submission, request }: { submission: Submission & { network: string }; request: EntryRequest },
): Promise<EntryClaim> {
  const { pass, language, network, timeZone, challenge: payload } = submission
  const { merchant, wheel, entry } = found
  const { fold, answers, address, consents, parts } = checkSubmission(found, submission)
  if (entry.refusesDisposable && (await isDisposable(parts.domain)))
    throw new Refusal('address_disposable', addressError(entry.fields))
  const passed = pass === undefined ? undefined : await readPass(ctx, merchant, pass)
  const proof = passed && { passOf: passed.playerId, isProved: passed.isProved }
  const { merchantId, clockAheadMs } = merchant
  const order = { merchant, campaign: wheel.campaign, entry, fold, answers, consents, language, proof }
  const solved = await readSolved(ctx, found, { network, payload })
  return { ...order, merchantId, clockAheadMs, address, network, timeZone, request, solved }
}

/** The answers, if the form is open and they fit. Everything here happens before anything is stored. */
function checkSubmission(found: PublicEntry, { formVersion, terms, answers }: Submission): ReadAnswers {
  const { merchant, entry, now } = found
  refuseClosed(found)
  if (formVersion !== entry.version || terms !== entry.termsHash) throw new Refusal('form_outdated')
  const { year, month } = zoned(now, merchant.timeZone)
  const asked = askedAt(entry.fields, 'entry')
  const read = readAnswers(asked, answers)
  refuseWrong(read)
  if (isTooYoung(asked, read.answers, { year, month })) throw new Refusal('entry_too_young')
  return read
}

function addressError(fields: readonly EntryField[]) {
  const { id } = fields.find(({ kind }) => kind === 'email') as EntryField
  return { errors: [{ pointer: `/answers/${id}`, detail: 'belongs to a provider of throw-away addresses' }] }
}

/** For the figures, and for the merchant: some refusals are worth an event, without anything about the visitor. */
async function countRefusal(
  ctx: Context,
  { merchant, wheel, entry, now }: PublicEntry,
  refusal: Refusal,
): Promise<void> {
  ctx.happenings.countRefusal(entry, refusal, now)
  const reason = refusalsTold.find((one) => one === refusal.code)
  if (reason === undefined) return
  const { merchantId } = merchant
  const shard = shardOf({ merchantId, playerId: '' })
  const data = { reason, ...campaignOf(wheel.campaign) }
  await ctx.events.writer.submit({ merchantId, shard, type: 'entry.refused', at: now, data })
}

const refusalsTold = ['entry_known', 'entry_too_young', 'address_disposable'] as const
