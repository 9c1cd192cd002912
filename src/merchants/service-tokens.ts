import { type CampaignJson, campaignJson, type CampaignRef, isMain, withDates } from '../campaign-ref.ts'
import { allInOrder, type Queryable, statement } from '../db/database.ts'
import { lockMerchant } from '../db/merchant-lock.ts'
import { hashSecret, makeServiceToken } from '../crypto/service-token.ts'
import { insertEvents } from '../events/event-pages.ts'
import { merchantQuotas, quotaReached } from '../merchant-quotas.ts'
import { Mistake } from '../mistake.ts'
import { Refusal } from '../refusals.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { type Merchant, merchantColumns } from './merchants.ts'
import type { Scope } from './scopes.ts'

export type ServiceTokenRow = {
  tokenId: string
  merchantId: number
  name: string
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  /** The id of the campaign that the token is bound to; null if it is not bound. */
  campaign: string | null
}

type TokenOrder = {
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
  /** The id of a campaign to bind the token to. */
  campaign?: string | undefined
  /** The id of the token that this one replaces, which does not count against the limit. */
  replaces?: string
  now: Date
}

/**
 * Creates a token for a merchant and returns its text, which is not stored and can't be shown again. It runs in a
 * transaction, so that the token, its event and its line in the audit log are written together.
 */
export async function issueToken(
  tx: Queryable,
  merchant: Merchant,
  order: TokenOrder,
  cause?: Cause,
): Promise<string> {
  const { tokenId, secret } = makeServiceToken(merchant.slug)
  const { merchantId } = merchant
  const { name, scopes: chosen, expiresAt, campaign, now } = order
  const campaignId =
    campaign === undefined ? null : await campaignToBind(tx, merchantId, { campaign, chosen })
  await refuseTooMany(tx, merchantId, order)
  const bound = campaign === undefined ? {} : { campaign }
  const data = { tokenId, name, scopes: [...chosen], expiresAt: expiresAt?.toISOString() ?? null, ...bound }
  await allInOrder([
    tx.query(insert, [tokenId, merchantId, name, hashSecret(secret), chosen, now, expiresAt, campaignId]),
    insertEvents(tx, [{ merchantId, type: 'token.issued', at: now, data }]),
  ])
  const subject = { kind: 'token', id: tokenId }
  const after = { name, scopes: chosen, expiresAt, ...bound }
  if (cause !== undefined)
    await recordChanges(tx, [{ merchantId, action: 'token.issue', subject, after }], cause)
  return `${tokenId}:${secret}`
}

async function refuseTooMany(
  tx: Queryable,
  merchantId: number,
  { replaces = '', now }: TokenOrder,
): Promise<void> {
  await lockMerchant(tx, merchantId)
  const [live] = await tx.query(countLive, [merchantId, replaces, now])
  if ((live?.count ?? 0) >= merchantQuotas['live tokens'])
    throw new Refusal('merchant_limit_reached', { detail: quotaReached('live tokens') })
}

/** `main` is no binding: its token means `main` in the two merchant operations, and sees all campaigns. */
async function campaignToBind(
  tx: Queryable,
  merchantId: number,
  { campaign, chosen }: { campaign: string; chosen: readonly Scope[] },
): Promise<number | null> {
  if (chosen.includes('manage')) throw new Refusal('token_not_bindable')
  if (isMain({ slug: campaign })) return null
  const [found] = await tx.query(findCampaign, [merchantId, campaign])
  if (found === undefined) throw new Refusal('campaign_not_found')
  if (found.isArchived) throw new Refusal('campaign_archived')
  return found.campaignId
}

/** All tokens, or those of a page, the oldest first. */
export async function listTokens(
  db: Queryable,
  merchantId: number,
  { after, limit }: { after: Pick<ServiceTokenRow, 'createdAt' | 'tokenId'>; limit: number | null } = {
    after: { createdAt: new Date(0), tokenId: '' },
    limit: null,
  },
): Promise<ServiceTokenRow[]> {
  return db.query(list, [merchantId, after.createdAt, after.tokenId, limit])
}

export async function findToken(
  db: Queryable,
  tokenId: string,
): Promise<ServiceTokenRow & { merchant: string }> {
  const [token] = await db.query(find, [tokenId])
  if (token === undefined) {
    throw new Mistake(
      `There is no token with the identifier "${tokenId}". It is the part before the colon; \`wheelhouse token list\` shows all.`,
    )
  }
  return token
}

/** A merchant's own token, or undefined. */
export async function findTokenOf(
  db: Queryable,
  merchantId: number,
  tokenId: string,
): Promise<ServiceTokenRow | undefined> {
  const [token] = await db.query(find, [tokenId])
  return token?.merchantId === merchantId ? token : undefined
}

/**
 * From `deadFrom` on the token is not valid. A future time keeps a rotated token valid while its users switch. It
 * runs in a transaction, as above. A token that ends earlier anyway stays as it is, and no event is written.
 */
export async function revokeToken(
  tx: Queryable,
  tokenId: string,
  deadFrom: Date,
  { now = deadFrom, cause }: { now?: Date; cause?: Cause } = {},
): Promise<void> {
  const [revoked] = await tx.query(revoke, [tokenId, deadFrom])
  if (revoked === undefined) return
  const { merchantId, name, scopes: had } = revoked
  const data = { tokenId, name, scopes: had, deadFrom: deadFrom.toISOString() }
  await insertEvents(tx, [{ merchantId, type: 'token.revoked', at: now, data }])
  const subject = { kind: 'token', id: tokenId }
  const after = { name, deadFrom }
  if (cause !== undefined)
    await recordChanges(tx, [{ merchantId, action: 'token.revoke', subject, after }], cause)
}

/** Gives the tokens of a test merchant to the one that replaces it. Its campaigns have the same ids. */
export async function moveTokens(tx: Queryable, from: number, to: number): Promise<void> {
  await tx.query(move, [from, to])
}

/** A token as the token verifier needs it, with its merchant. */
export type TokenWithMerchant = {
  tokenId: string
  tokenName: string
  secretSha256: Buffer
  scopes: Scope[]
  expiresAt: Date | null
  revokedAt: Date | null
  merchant: Merchant
  /** Undefined if the token is not bound. */
  campaign?: CampaignRef | undefined
}

export async function readTokenWithMerchant(
  db: Queryable,
  tokenId: string,
): Promise<TokenWithMerchant | undefined> {
  const [row] = await db.query(readWithMerchant, [tokenId])
  if (row === undefined) return undefined
  const { tokenName, secretSha256, scopes, expiresAt, revokedAt, campaign, ...merchant } = row
  const bound = campaign === null ? undefined : withDates(campaign)
  return { tokenId, tokenName, secretSha256, scopes, expiresAt, revokedAt, merchant, campaign: bound }
}

export async function recordTokenUses(db: Queryable, uses: ReadonlyMap<string, Date>): Promise<void> {
  const tokenIds = [...uses.keys()].toSorted()
  await db.query(upsertUses, [tokenIds, tokenIds.map((tokenId) => uses.get(tokenId))])
}

const insert = statement(`
insert into service_tokens (token_id, merchant_id, name, secret_sha256, scopes, created_at, expires_at, campaign_id)
values ($1, $2, $3, $4, $5, $6, $7, $8)`)

const findCampaign = statement<{ campaignId: number; isArchived: boolean }>(`
select campaign_id as "campaignId", archived_at is not null as "isArchived"
from campaigns
where merchant_id = $1
and slug = $2`)

const tokenColumns = `
  service_tokens.token_id as "tokenId",
  service_tokens.merchant_id as "merchantId",
  service_tokens.name,
  service_tokens.scopes,
  service_tokens.created_at as "createdAt",
  service_tokens.expires_at as "expiresAt",
  service_tokens.revoked_at as "revokedAt",
  service_token_uses.last_used_at as "lastUsedAt",
  (
    select slug
    from campaigns
    where campaigns.campaign_id = service_tokens.campaign_id
  ) as campaign`

// Cursors have milliseconds. A time between two of them would be on every page.
const list = statement<ServiceTokenRow>(`
select ${tokenColumns}
from service_tokens
left join service_token_uses using (token_id)
where merchant_id = $1
and (date_trunc('milliseconds', created_at), token_id) > ($2, $3)
order by date_trunc('milliseconds', created_at), token_id
limit $4`)

const countLive = statement<{ count: number }>(`
select count(*)::int as count
from service_tokens
where merchant_id = $1
and token_id <> $2
and revoked_at is null
and (expires_at is null or expires_at > $3)`)

const find = statement<ServiceTokenRow & { merchant: string }>(`
select ${tokenColumns}, merchants.slug as merchant
from service_tokens
join merchants using (merchant_id)
left join service_token_uses using (token_id)
where token_id = $1`)

const revoke = statement<Pick<ServiceTokenRow, 'merchantId' | 'name' | 'scopes'>>(`
update service_tokens
set revoked_at = $2
where token_id = $1
and (revoked_at is null or revoked_at > $2)
returning merchant_id as "merchantId", name, scopes`)

const move = statement(`
update service_tokens
set
  merchant_id = $2,
  campaign_id = (
    select own.campaign_id
    from campaigns
    join campaigns as own
      on own.slug = campaigns.slug
      and own.merchant_id = $2
    where campaigns.campaign_id = service_tokens.campaign_id
  )
where merchant_id = $1`)

const readWithMerchant = statement<
  Omit<TokenWithMerchant, 'merchant' | 'campaign'> & Merchant & { campaign: CampaignJson | null }
>(`
select
  service_tokens.token_id as "tokenId",
  service_tokens.name as "tokenName",
  service_tokens.secret_sha256 as "secretSha256",
  service_tokens.scopes,
  service_tokens.expires_at as "expiresAt",
  -- The removal of a test merchant ends its tokens.
  least(service_tokens.revoked_at, merchants.replaced_at) as "revokedAt",
  (
    select ${campaignJson}
    from campaigns
    join wheels using (wheel_id)
    where campaigns.campaign_id = service_tokens.campaign_id
  ) as campaign,
  ${merchantColumns}
from service_tokens
join merchants using (merchant_id)
where token_id = $1`)

const upsertUses = statement(`
insert into service_token_uses (token_id, last_used_at)
select * from unnest($1::text[], $2::timestamptz[])
on conflict (token_id) do update
set last_used_at = greatest(service_token_uses.last_used_at, excluded.last_used_at)`)
