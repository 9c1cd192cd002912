import { campaignOf } from '../campaign-ref.ts'
import { untilDone } from '../db/database.ts'
import { shardOf } from '../players/shard.ts'
import { Refusal } from '../refusals.ts'
import { zoned } from '../wheel-document/schedule.ts'
import type { Context } from './entry-context.ts'
import { sessionToken, shownCode } from './ask-for-code.ts'
import { checkSolution, isChallenged } from './challenges.ts'
import { claimEntry, type ClaimVerdict, verdictOfEarlier } from './claim-entry.ts'
import { isDisposable } from './disposable.ts'
import type { EntryOrder } from './enter-visitor.ts'
import { openGame, readPass } from './entry-game.ts'
import { type EntryRequest, findRequest, hashRequest } from './entry-requests.ts'
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
  const request = hashRequest(key, { formVersion, language, answers, terms })
  try {
    const verdict = await ctx.entryTurns.run(
      found.entry.merchantId,
      async () => (await askAgain(ctx, found, request)) ?? enter(ctx, found, { submission, request }),
    )
    if (verdict.outcome === 'refused') throw new Refusal(verdict.code)
    if (verdict.outcome === 'entered') return await openGame(ctx, found, verdict, timeZone)
    const { session } = verdict
    return { outcome: verdict.outcome, session: await sessionToken(ctx, session), ...shownCode(session) }
  } catch (error) {
    if (error instanceof Refusal) await countRefusal(ctx, found, error)
    throw error
  }
}

/** What the same submission led to before. The form may have changed since. */
async function askAgain(
  ctx: Context,
  { merchant, entry, now }: PublicEntry,
  request: EntryRequest,
): Promise<ClaimVerdict | undefined> {
  return untilDone(async () => {
    const earlier = await findRequest(ctx.db, entry, request)
    return earlier && verdictOfEarlier(ctx.db, merchant, earlier, now)
  })
}

async function enter(
  ctx: Context,
  found: PublicEntry,
  { submission, request }: { submission: Submission & { network: string }; request: EntryRequest },
): Promise<ClaimVerdict> {
  const { pass, language, network, timeZone } = submission
  ctx.happenings.count(found.entry, 'submitted', found.now)
  const read = checkSubmission(found, submission)
  if (found.entry.refusesDisposable && (await isDisposable(read.parts.domain)))
    throw new Refusal('address_disposable', addressError(found.entry.fields))
  const passOf = pass === undefined ? undefined : await readPass(ctx, found.merchant, pass)
  const order = orderOf(found, read, language, passOf?.playerId)
  const payload = submission.challenge
  const spendChallenge = (await isChallenged(ctx, found, network))
    ? await checkSolution(ctx, found, { network, payload })
    : async () => undefined
  const { address } = read
  const claim = { order, request, address, network, timeZone, spendChallenge }
  const verdict = await untilDone(() => ctx.db.transaction((tx) => claimEntry(tx, claim)))
  ctx.events.sequencer.nudge()
  return verdict
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

function orderOf(
  { merchant, wheel, entry, now }: PublicEntry,
  { fold, answers, consents }: ReadAnswers,
  language: string,
  passOf: string | undefined,
): EntryOrder {
  const proof = passOf === undefined ? undefined : { passOf }
  return { merchant, campaign: wheel.campaign, entry, fold, answers, consents, language, proof, now }
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
