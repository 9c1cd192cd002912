import { actorText, type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { type Campaign, openingOf } from '../campaigns/campaign.ts'
import type { Transaction } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { insertForm, keepTexts, lockEntry, readEntry, saveEntry } from './entry-rows.ts'
import { termsText, textHash, textsOf } from './terms.ts'

/**
 * What a change of a campaign means for its entry, in the same transaction. The closing time is a part of the terms:
 * another one is a new version of them, for those who enter from now on. Once somebody has entered, it needs a reason.
 */
export async function moveClosingTime(
  tx: Transaction,
  campaign: Campaign,
  { reason, cause }: { reason: string | undefined; cause: Cause },
): Promise<void> {
  const key = { merchantId: campaign.merchantId, campaignId: campaign.campaignId }
  if ((await readEntry(tx, key)) === undefined) return
  await lockEntry(tx, key)
  const entry = await readEntry(tx, key)
  const { closesAt } = openingOf(campaign, cause.now)
  if (entry === undefined || entry.closesAt?.getTime() === closesAt?.getTime()) return
  if (entry.isOpen && closesAt === null)
    throw new Refusal('entry_not_ready', { errors: [{ pointer: '/closesAt', detail: 'is in the terms' }] })
  if (entry.entered > 0 && reason === undefined) throw new Refusal('entry_reason_needed')
  const { fields, terms, isOpen, spins, entriesMax, verify, challenge, refusesDisposable } = entry
  const { answersDays, consentYears } = entry
  const termsHash = textHash(termsText(terms, closesAt))
  await keepTexts(tx, textsOf(fields, terms, closesAt))
  const actor = actorText(cause.actor)
  const form = { ...key, fields, terms, termsHash, closesAt, reason: reason ?? null, actor, now: cause.now }
  const version = await insertForm(tx, form)
  const rules = { isOpen, spins, entriesMax, verify, challenge, refusesDisposable, answersDays, consentYears }
  await saveEntry(tx, key, { settings: rules, version, now: cause.now })
  const told = (one: number, moment: Date | null) => ({ version: one, closesAt: moment })
  await recordChanges(
    tx,
    [
      {
        merchantId: key.merchantId,
        action: 'entry.change',
        subject: { kind: 'campaign', id: campaign.slug },
        before: told(entry.version, entry.closesAt),
        after: { ...told(version, closesAt), ...(reason === undefined ? {} : { reason }) },
      },
    ],
    cause,
  )
}
