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

/** The value that the player got. A code may come from a pool instead. */
const valueOf = (field: SettledField) =>
  field === 'code' ? `coalesce(found.code, ${ofPrize(field)})` : ofPrize(field)

const ofFoundPlay = `
      prize_settlements.shard = found.shard
      and prize_settlements.player_no = found.player_no
      and prize_settlements.play_no = found.play_no`

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
    found.claim_before as "claimBefore",
    found.created_at as "createdAt",
    case
      when last.state is not null then last.state
      when found.claim_before <= ${now} then 'expired'
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
    claims.reversed_at as "reversedAt"
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
  ) as claims on true
  where found.won
  and version_segments.kind in (${settledKindsSql})
) as prize
where ${filter}`
