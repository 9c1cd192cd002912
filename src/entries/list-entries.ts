import { slugOf } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import { listSigningKeysWithSecrets } from '../crypto/signing-keys.ts'
import { answersPlace } from './entry-place.ts'
import type { CampaignKey } from './entry-rows.ts'
import type { EntryAnswer, EntryField } from './form.ts'
import { unseal } from './seal.ts'

/** An entry as its merchant reads it. */
export type ListedVisitor = {
  id: string
  campaign: string
  playerId: string
  enteredAt: Date
  verifiedAt: Date | null
  language: string
  formVersion: number
  /** As typed; null once the answers are deleted. */
  address: string | null
  answers: Record<string, EntryAnswer> | null
  consents: {
    field: string
    purpose: 'marketing' | 'other'
    givenAt: string
    confirmedAt: string | null
    withdrawnAt: string | null
  }[]
}

/** Which entries of a campaign are wanted. */
export type EntryFilter = {
  from: Date
  /** The first moment that is not wanted any more. */
  to: Date
  verified: boolean | undefined
  /** Only this one; null for a person who never entered, or was erased. */
  player: { shard: number; playerNo: number } | null | undefined
}

/** The newest entries of a campaign before a place in the list, with what visitors typed. */
export async function listEntries(
  db: Queryable,
  { merchantId, campaignId }: CampaignKey,
  { before, beforeId, limit, filter }: { before: Date; beforeId: string; limit: number; filter: EntryFilter },
): Promise<ListedVisitor[]> {
  const { from, to, verified, player } = filter
  if (player === null) return []
  const asked = [before, beforeId, from, to, verified ?? null, limit]
  if (player === undefined) return opened(db, await db.query(list, [merchantId, campaignId, ...asked]))
  return opened(db, await db.query(listOne, [player.shard, player.playerNo, campaignId, ...asked]))
}

/** The entries of one visitor, in all campaigns. */
export async function listEntriesOf(
  db: Queryable,
  { shard, playerNo }: { shard: number; playerNo: number },
): Promise<ListedVisitor[]> {
  return opened(db, await db.query(listOfPlayer, [shard, playerNo]))
}

async function opened(db: Queryable, rows: readonly Row[]): Promise<ListedVisitor[]> {
  const keys = rows.length === 0 ? [] : await listSigningKeysWithSecrets(db, 'answers')
  return rows.map(({ keyId, wrappedKey, sealed, merchantId, campaignId, playerNo, fields, ...entry }) => {
    const key = keys.find((one) => one.keyId === keyId)
    if (key === undefined || wrappedKey === null || sealed === null)
      return { ...entry, address: null, answers: null }
    const place = answersPlace({ merchantId, playerNo, campaignId })
    const answers = JSON.parse(unseal({ wrappedKey, sealed }, place, key)) as Record<string, EntryAnswer>
    const typed = answers[fields.find(({ kind }) => kind === 'email')?.id ?? '']
    return { ...entry, address: typeof typed === 'string' ? typed : null, answers }
  })
}

type Row = Omit<ListedVisitor, 'address' | 'answers'> & {
  merchantId: number
  campaignId: number
  playerNo: number
  fields: EntryField[]
  keyId: string | null
  wrappedKey: Buffer | null
  sealed: Buffer | null
}

const entries = `
select
  entry_id as id,
  ${slugOf('visitor_entries.campaign_id')} as campaign,
  player_id as "playerId",
  visitor_entries.merchant_id as "merchantId",
  visitor_entries.campaign_id as "campaignId",
  visitor_entries.player_no as "playerNo",
  entered_at as "enteredAt",
  verified_at as "verifiedAt",
  language,
  form_version as "formVersion",
  fields,
  key_id as "keyId",
  wrapped_key as "wrappedKey",
  sealed,
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object(
          'field', field,
          'purpose', purpose,
          'givenAt', given_at,
          'confirmedAt', confirmed_at,
          'withdrawnAt', withdrawn_at
        )
        order by field, given_at
      )
      from entry_consents
      where entry_consents.shard = visitor_entries.shard
      and entry_consents.player_no = visitor_entries.player_no
      and entry_consents.campaign_id = visitor_entries.campaign_id
    ),
    '[]'
  ) as consents
from visitor_entries
join players
  on players.shard = visitor_entries.shard
  and players.player_no = visitor_entries.player_no
join entry_forms
  on entry_forms.merchant_id = visitor_entries.merchant_id
  and entry_forms.campaign_id = visitor_entries.campaign_id
  and entry_forms.version = visitor_entries.form_version
left join entry_answers
  on entry_answers.shard = visitor_entries.shard
  and entry_answers.player_no = visitor_entries.player_no
  and entry_answers.campaign_id = visitor_entries.campaign_id`

const isWanted = (first: number) => `(entered_at, entry_id) < ($${first}::timestamptz, $${first + 1}::uuid)
and entered_at >= $${first + 2}::timestamptz
and entered_at < $${first + 3}::timestamptz
and ($${first + 4}::boolean is null or (verified_at is not null) = $${first + 4}::boolean)
order by entered_at desc, entry_id desc
limit $${first + 5}`

const list = statement<Row>(`${entries}
where visitor_entries.merchant_id = $1
and visitor_entries.campaign_id = $2
and ${isWanted(3)}`)

const listOne = statement<Row>(`${entries}
where visitor_entries.shard = $1
and visitor_entries.player_no = $2
and visitor_entries.campaign_id = $3
and ${isWanted(4)}`)

const listOfPlayer = statement<Row>(`${entries}
where visitor_entries.shard = $1
and visitor_entries.player_no = $2
order by entered_at, entry_id`)
