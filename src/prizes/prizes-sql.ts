import { numberIn, slugOf } from '../campaign-ref.ts'
import { prizeFields, type SettledField, settledFields } from '../prize-kinds/prize-kinds.ts'
import { kindsWithFieldSql, settledKindsSql } from './prize-kinds-sql.ts'

/** A field of the prize in the wheel document, read only for the kinds that have one. */
const ofPrize = (field: SettledField) => `
    case
      when version_segments.kind in (${kindsWithFieldSql(field)}) then (
        select (document -> 'segments' -> found.segment::int -> 'prize' ->> '${field}')${sqlTypeOf(field)}
        from wheel_versions
        where wheel_versions.wheel_id = found.wheel_id
        and wheel_versions.version = found.wheel_version
      )
    end`

const sqlTypeOf = (field: SettledField) => (prizeFields[field].schema.type === 'string' ? '' : '::int')

/** The value that the player got. A code may come from a pool instead. One to use the prize waits for its release. */
function valueOf(field: SettledField): string {
  const value = field === 'code' ? `coalesce(found.code, hold.code, ${ofPrize(field)})` : ofPrize(field)
  return prizeFields[field].isSecret ? `case when ${isInHand} then ${value} end` : value
}

const isInHand = `(hold.held_at is null or hold.decision is not distinct from 'released')`

const ofFoundPlay = `
      prize_settlements.shard = found.shard
      and prize_settlements.player_no = found.player_no
      and prize_settlements.play_no = found.play_no`

const withStates = `
  left join prize_holds as hold
    on hold.shard = found.shard
    and hold.player_no = found.player_no
    and hold.play_no = found.play_no
  left join lateral (
    select *
    from prize_settlements
    where ${ofFoundPlay}
    order by step desc
    limit 1
  ) as last on true
  left join lateral (select last.* where last.step % 2 = 0) as final on true
  left join lateral (
    select min(settled_at) as first_at, max(settled_at) filter (where step > 1) as reversed_at
    from prize_settlements
    where ${ofFoundPlay}
    and step % 2 = 1
  ) as claims on true`

/** Plays with the state of their prizes. Won spins are given at once, and are not prizes to settle. */
export const prizesAmong = (plays: string, now: string, filter = 'true') => `
select *
from (
  select
    found.shard,
    found.player_no as "playerNo",
    found.play_no as "playNo",
    found.merchant_id as "merchantId",
    found.play_id as "playId",
    players.player_id as "playerId",
    wheels.slug as wheel,
    ${slugOf('found.campaign_id')} as campaign,
    ${numberIn('found.campaign_id')} as "campaignId",
    found.wheel_id as "wheelId",
    found.wheel_version as "wheelVersion",
    version_segments.prize_id as "prizeId",
    version_segments.kind,
    version_segments.label,
    ${settledFields.map((field) => `${valueOf(field)} as "${field}"`).join(',\n    ')},
    coalesce(found.claim_before, hold.claim_before) as "claimBefore",
    found.created_at as "createdAt",
    case
      when last.state is not null then last.state
      when not ${isInHand} then 'held'
      when coalesce(found.claim_before, hold.claim_before) <= ${now} then 'expired'
      else 'won'
    end as state,
    claims.first_at as "claimedAt",
    final.settled_at as "settledAt",
    final.actor as "settledBy",
    final.reason,
    coalesce(final.stock_returned, false) as "stockReturned",
    case
      when final.state = 'redeemed' and merchants.redemption_reversal_hours > 0
      then final.settled_at + make_interval(hours => merchants.redemption_reversal_hours)
    end as "reversibleUntil",
    claims.reversed_at as "reversedAt",
    case when hold.decision is null then hold.due_at end as "heldUntil",
    hold.cause as "heldBecause"
  from (${plays}) as found
  join version_segments
    on version_segments.wheel_id = found.wheel_id
    and version_segments.version = found.wheel_version
    and version_segments.segment = found.segment
  join players
    on players.shard = found.shard
    and players.player_no = found.player_no
  join wheels
    on wheels.wheel_id = found.wheel_id
  join merchants
    on merchants.merchant_id = found.merchant_id
  ${withStates}
  where found.won
  and version_segments.kind in (${settledKindsSql})
) as prize
where ${filter}`

/** Filters of a list, by the parameters of wheel, prize, state and campaign. */
export const wantedAmong = ([wheel, prize, state, campaign]: string[]) => `
(${wheel}::int is null or prize."wheelId" = ${wheel})
and (${prize}::text is null or prize."prizeId" = ${prize})
and (${state}::text is null or prize.state = ${state})
and (${campaign}::int is null or prize."campaignId" = ${campaign})`

export const wanted = wantedAmong(['$8', '$9', '$10', '$12'])

export const newestFirst = `
order by prize."createdAt" desc, prize."playerNo" desc, prize."playNo" desc`

export const keyOfPlay = 'shard, player_no as "playerNo", play_no as "playNo"'
