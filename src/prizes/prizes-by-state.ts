import { keyOfPlay, newestFirst, prizesAmong, wanted } from './prizes-sql.ts'

/** Prizes in a state, found by the rows that brought them there: settlements, or holds. */

const settledBefore = (state: string) => `
from prize_settlements
where prize_settlements.merchant_id = $1
and prize_settlements.state = ${state}
and (prize_settlements.won_at, prize_settlements.player_no, prize_settlements.play_no) < ($2, $3, $4)
and prize_settlements.won_at >= $5
order by prize_settlements.won_at desc, prize_settlements.player_no desc, prize_settlements.play_no desc`

const heldBefore = (state: string) => `
from prize_holds
where prize_holds.merchant_id = $1
and prize_holds.decision is null
and ${state}::text = 'held'
and (prize_holds.held_at, prize_holds.player_no, prize_holds.play_no) < ($2, $3, $4)
and prize_holds.held_at >= $5
order by prize_holds.held_at desc, prize_holds.player_no desc, prize_holds.play_no desc`

// A prize that was redeemed, taken back and redeemed again has been in a state twice.
const settledOnce = 'distinct on (won_at, player_no, play_no)'

export const settledSql = listsOf(settledBefore, { once: settledOnce, wonAt: 'won_at' })
export const heldSql = listsOf(heldBefore, { once: '', wonAt: 'held_at' })

function listsOf(before: (state: string) => string, { once, wonAt }: { once: string; wonAt: string }) {
  // Ordered by the columns of the index, so that the scan ends with the page. Sorted by the time of the plays, it read
  // on.
  const found = `
    select
      listed.*,
      plays.merchant_id,
      plays.play_id,
      plays.wheel_id,
      plays.wheel_version,
      plays.segment,
      plays.won,
      plays.code,
      plays.claim_before,
      plays.campaign_id
    from (
      select ${once} shard, player_no, play_no, ${wonAt} as created_at
      ${before('$10')}
      limit $6
    ) as listed
    join plays using (shard, player_no, play_no)`
  return {
    listed: `
${prizesAmong(found, '$11::timestamptz', wanted)}
${newestFirst}
limit $7`,
    keys: `select ${once} ${keyOfPlay} ${before('$7')} limit $6`,
    lastScanned: `
select ${once} ${wonAt} as "createdAt", player_no as "playerNo", play_no as "playNo"
${before('$7')}
offset $6
limit 1`,
  }
}
