import { actorText, type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { type Campaign, openingOf } from '../campaigns/campaign.ts'
import { type Database, type Transaction, untilDone } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { checkEntry } from './check-entry.ts'
import {
  type CampaignEntry,
  type CampaignKey,
  deleteEntry,
  insertForm,
  keepTexts,
  lockEntry,
  readEntry,
  saveEntry,
} from './entry-rows.ts'
import { type EntrySettings, rulesOf } from './form.ts'
import { termsText, textHash, textsOf } from './terms.ts'
import { makeMissingKeys } from './visitor-keys.ts'

type EntryChange = {
  campaign: Campaign
  settings: EntrySettings
  /** Why terms change after the first entry. */
  reason: string | undefined
  /** Refused if the entry has another one by now. */
  revision: number | undefined
  /** Whether codes can be mailed, or read at a test merchant. */
  canSendCodes: boolean
}

/** Sets up the entry of a campaign. Other fields or terms are a new version, for those who enter from now on. */
export async function changeEntry(db: Database, change: EntryChange, cause: Cause): Promise<CampaignEntry> {
  refuseProblems(change, cause.now)
  return untilDone(() => db.transaction((tx) => changeInTransaction(tx, change, cause)))
}

function refuseProblems({ campaign, settings, canSendCodes }: EntryChange, now: Date): void {
  const errors = checkEntry(settings, openingOf(campaign, now))
  if (errors.length > 0) {
    const detail = errors.map((one) => `${one.pointer} ${one.detail}`).join('; ')
    throw new Refusal('entry_not_ready', { detail, errors })
  }
  if (settings.verify === 'code' && !canSendCodes) throw new Refusal('entry_mail_missing')
}

async function changeInTransaction(
  tx: Transaction,
  { campaign, settings, reason, revision }: EntryChange,
  cause: Cause,
): Promise<CampaignEntry> {
  const key = { merchantId: campaign.merchantId, campaignId: campaign.campaignId }
  await lockEntry(tx, key)
  const before = await readEntry(tx, key)
  if (revision !== undefined && revision !== (before?.revision ?? 0)) throw new Refusal('campaign_changed')
  const { fields, terms } = settings
  const rules = rulesOf(settings)
  const { closesAt } = openingOf(campaign, cause.now)
  const termsHash = textHash(termsText(terms, closesAt))
  const hasOtherTerms = before !== undefined && before.termsHash !== termsHash
  if (hasOtherTerms && before.entered > 0 && reason === undefined) throw new Refusal('entry_reason_needed')
  const isSame = before !== undefined && !hasOtherTerms && isEqual(before.fields, fields)
  const actor = actorText(cause.actor)
  if (!isSame) await keepTexts(tx, textsOf(fields, terms, closesAt))
  const form = { ...key, fields, terms, termsHash, closesAt, reason: reason ?? null, actor, now: cause.now }
  const version = isSame ? before.version : await insertForm(tx, form)
  await saveEntry(tx, key, { settings: rules, version, now: cause.now })
  await makeMissingKeys(tx, cause.now)
  await recordChanges(
    tx,
    [
      {
        merchantId: key.merchantId,
        action: 'entry.change',
        subject: { kind: 'campaign', id: campaign.slug },
        before: before && { ...rulesOf(before), version: before.version },
        after: { ...rules, version, ...(reason === undefined ? {} : { reason }) },
      },
    ],
    cause,
  )
  return (await readEntry(tx, key)) as CampaignEntry
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sortKeys) === JSON.stringify(other, sortKeys)
}

/** PostgreSQL keeps the keys of objects in an order of its own. */
function sortKeys(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Takes the entry away. Once somebody has entered, it is closed instead: what was agreed to still binds. */
export async function removeEntry(
  db: Database,
  campaign: CampaignKey & { slug: string },
  cause: Cause,
): Promise<void> {
  await untilDone(() =>
    db.transaction(async (tx) => {
      await lockEntry(tx, campaign)
      const before = await readEntry(tx, campaign)
      if (before === undefined) return
      const { version, isOpen } = before
      if (before.entered === 0) await deleteEntry(tx, campaign)
      else if (!isOpen) return
      else {
        const settings = { ...rulesOf(before), isOpen: false }
        await saveEntry(tx, campaign, { settings, version, now: cause.now })
      }
      const subject = { kind: 'campaign', id: campaign.slug }
      const { merchantId } = campaign
      await recordChanges(tx, [{ merchantId, action: 'entry.remove', subject, before: { version } }], cause)
    }),
  )
}
