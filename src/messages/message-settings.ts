import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { readCampaignRef } from '../campaigns/campaigns.ts'
import { type Database, type Queryable, statement, untilDone } from '../db/database.ts'
import { lockMerchant } from '../db/merchant-lock.ts'
import { setPlanning } from '../mails/mail-cursors.ts'
import { isPlainAddress } from '../mail.ts'
import { Refusal } from '../refusals.ts'
import { copyMerchantTexts, refuseTexts } from './merchant-texts.ts'
import { cleaned, type MessageKind, messageKinds, type MessageTexts } from './message-texts.ts'

export type MessageSettings = {
  /** Answers of players go there; null for the sender's address. */
  replyTo: string | null
  kinds: Record<MessageKind, { isOn: boolean; texts: MessageTexts }>
}

/** Settings as given or stored: kinds that are missing are switched off. */
type GivenSettings = Omit<MessageSettings, 'kinds'> & { kinds: Partial<MessageSettings['kinds']> }

const off = { isOn: false, texts: {} }

export function completed({ replyTo, kinds }: GivenSettings): MessageSettings {
  return { replyTo, kinds: { won: off, claim_ends: off, spins_waiting: off, spins_expire: off, ...kinds } }
}

type CampaignKey = { merchantId: number; campaignId: number }
type StoredSettings = MessageSettings & { revision: number }

export async function readMessageSettings(db: Queryable, key: CampaignKey): Promise<StoredSettings> {
  const [found] = await db.query(read, [key.merchantId, key.campaignId])
  return found === undefined
    ? { ...completed({ replyTo: null, kinds: {} }), revision: 0 }
    : { ...completed(found.settings), revision: found.revision }
}

/** Of all campaigns of a merchant that have settings. */
export async function listMessageSettings(
  db: Queryable,
  merchantId: number,
): Promise<{ campaignId: number; slug: string; settings: MessageSettings }[]> {
  const found = await db.query(list, [merchantId])
  return found.map((one) => ({ ...one, settings: completed(one.settings) }))
}

/** Where players of each campaign can answer, by its id. */
export async function contactsOfCampaigns(
  db: Database,
  merchantId: number,
): Promise<ReadonlyMap<string, string | null>> {
  const all = await untilDone(() => listMessageSettings(db, merchantId))
  return new Map(all.map(({ slug, settings }) => [slug, settings.replyTo]))
}

/** Sets which messages a campaign sends. What happened before they were switched on is not told about. */
export async function changeMessageSettings(
  db: Database,
  change: {
    campaign: CampaignKey & { slug: string }
    settings: MessageSettings
    revision: number | undefined
  },
  cause: Cause,
): Promise<StoredSettings> {
  const { campaign, revision } = change
  const settings = cleanedSettings(change.settings)
  refuseSettings(settings)
  return untilDone(() =>
    db.transaction(async (tx) => {
      await lockMerchant(tx, campaign.merchantId)
      const before = await readMessageSettings(tx, campaign)
      if (revision !== undefined && revision !== before.revision) throw new Refusal('campaign_changed')
      await tx.query(save, [campaign.merchantId, campaign.campaignId, JSON.stringify(settings), cause.now])
      await planIfAnyIsOn(tx, campaign.merchantId)
      const subject = { kind: 'campaign', id: campaign.slug }
      const { merchantId } = campaign
      const action = 'messages.change'
      await recordChanges(tx, [{ merchantId, action, subject, before, after: settings }], cause)
      return readMessageSettings(tx, campaign)
    }),
  )
}

/** For a new test merchant, whose campaigns have the same ids. Its messages reach only staff. */
export async function copyMessages(
  tx: Queryable,
  order: { from: number; to: number; now: Date },
): Promise<void> {
  const { from, to, now } = order
  await copyMerchantTexts(tx, order)
  for (const { slug, settings } of await listMessageSettings(tx, from)) {
    const campaign = await readCampaignRef(tx, to, slug)
    if (campaign !== undefined) await tx.query(save, [to, campaign.campaignId, JSON.stringify(settings), now])
  }
  await planIfAnyIsOn(tx, to)
}

async function planIfAnyIsOn(tx: Queryable, merchantId: number): Promise<void> {
  const all = await listMessageSettings(tx, merchantId)
  const isPlanning = all.some((one) => messageKinds.some((kind) => one.settings.kinds[kind].isOn))
  await setPlanning(tx, merchantId, isPlanning)
}

function cleanedSettings({ replyTo, kinds }: MessageSettings): MessageSettings {
  const clean = messageKinds.map((kind) => [kind, { ...kinds[kind], texts: cleaned(kinds[kind].texts) }])
  return { replyTo, kinds: Object.fromEntries(clean) as MessageSettings['kinds'] }
}

function refuseSettings({ kinds, replyTo }: MessageSettings): void {
  const texts = Object.fromEntries(messageKinds.map((kind) => [kind, kinds[kind].texts]))
  const isWrong = replyTo !== null && !isPlainAddress(replyTo)
  const others = isWrong ? [{ pointer: '/replyTo', detail: 'is not an e-mail address' }] : []
  refuseTexts((kind) => `/kinds/${kind}/texts`, texts, others)
}

const read = statement<{ settings: GivenSettings; revision: number }>(`
select settings, revision
from message_settings
where merchant_id = $1
and campaign_id = $2`)

const list = statement<{ campaignId: number; slug: string; settings: GivenSettings }>(`
select
  message_settings.campaign_id as "campaignId",
  coalesce(campaigns.slug, 'main') as slug,
  settings
from message_settings
left join campaigns
  on campaigns.merchant_id = message_settings.merchant_id
  and campaigns.campaign_id = message_settings.campaign_id
where message_settings.merchant_id = $1`)

const save = statement(`
insert into message_settings (merchant_id, campaign_id, settings, changed_at, revision)
values ($1, $2, $3::jsonb, $4, 1)
on conflict (merchant_id, campaign_id) do update
set
  settings = excluded.settings,
  changed_at = excluded.changed_at,
  revision = message_settings.revision + 1`)
