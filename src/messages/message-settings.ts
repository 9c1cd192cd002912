import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { type Database, type Queryable, statement, untilDone } from '../db/database.ts'
import { setPlanning } from '../mails/mail-cursors.ts'
import { isPlainAddress } from '../mail.ts'
import { marketingKinds, prizeKinds } from '../mails/mail-kinds.ts'
import { Refusal } from '../refusals.ts'

/** The kinds of messages that a campaign can switch on. */
export const messageKinds = [...prizeKinds, ...marketingKinds] as const
export type MessageKind = (typeof messageKinds)[number]

/** What a text may name: the rest of a message is made by us. */
const ofPrizes = ['merchant', 'prize', 'lastDay']
const ofSpins = ['merchant', 'spins', 'lastDay']
const placeholders: Record<MessageKind, readonly string[]> = {
  won: ofPrizes,
  claim_ends: ofPrizes,
  // It is not known whether spins that wait expire.
  spins_waiting: ['merchant', 'spins'],
  spins_expire: ofSpins,
}

/** By language. */
export type MessageTexts = Record<string, { subject: string; lead: string }>

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
  refuseTexts(change.settings)
  const { campaign, settings, revision } = change
  return untilDone(() =>
    db.transaction(async (tx) => {
      await tx.query(lock, [campaign.merchantId])
      const before = await readMessageSettings(tx, campaign)
      if (revision !== undefined && revision !== before.revision) throw new Refusal('campaign_changed')
      await tx.query(save, [campaign.merchantId, campaign.campaignId, JSON.stringify(settings), cause.now])
      const all = await listMessageSettings(tx, campaign.merchantId)
      const isPlanning = all.some((one) => messageKinds.some((kind) => one.settings.kinds[kind].isOn))
      await setPlanning(tx, campaign.merchantId, isPlanning)
      const subject = { kind: 'campaign', id: campaign.slug }
      const { merchantId } = campaign
      const action = 'messages.change'
      await recordChanges(tx, [{ merchantId, action, subject, before, after: settings }], cause)
      return readMessageSettings(tx, campaign)
    }),
  )
}

function refuseTexts({ kinds, replyTo }: MessageSettings): void {
  const errors = messageKinds.flatMap((kind) =>
    Object.entries(kinds[kind].texts).flatMap(([language, texts]) =>
      (['subject', 'lead'] as const).flatMap((part) =>
        unknownPlaceholders(kind, texts[part]).map((name) => ({
          pointer: `/kinds/${kind}/texts/${language}/${part}`,
          detail: `has {${name}}, but knows only ${placeholders[kind].map((one) => `{${one}}`).join(', ')}`,
        })),
      ),
    ),
  )
  if (replyTo !== null && !isPlainAddress(replyTo))
    errors.push({ pointer: '/replyTo', detail: 'is not an e-mail address' })
  if (errors.length === 0) return
  const detail = errors.map((one) => `${one.pointer} ${one.detail}`).join('; ')
  throw new Refusal('validation_failed', { detail, errors })
}

function unknownPlaceholders(kind: MessageKind, text: string): string[] {
  const known = new Set<string>(placeholders[kind])
  return [...text.matchAll(/\{([^{}]*)\}/g)]
    .map(([, name]) => name as string)
    .filter((name) => !known.has(name))
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

const lock = statement(`
select merchant_id
from merchants
where merchant_id = $1
for no key update`)

const save = statement(`
insert into message_settings (merchant_id, campaign_id, settings, changed_at, revision)
values ($1, $2, $3::jsonb, $4, 1)
on conflict (merchant_id, campaign_id) do update
set
  settings = excluded.settings,
  changed_at = excluded.changed_at,
  revision = message_settings.revision + 1`)
