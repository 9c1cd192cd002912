/** What entries took from lots, one row for each lot. */
function lotDraws(columns: string): string {
  return `
  select shard, player_no, lot_no, ${columns}
  from (
    select *, lots[place] as lot_no, lots[place + 1] as spins
    from ledger_entries
    cross join generate_series(1, cardinality(lots), 2) as place
  ) as each_draw`
}

/** What was in each lot at first: spins of a grant that expire, or what was carried forward. */
const givenLots = `
  select shard, player_no, entry_no as lot_no, coalesce(purse_id, 0) as purse_id, amount, amount as spins, expires_at
  from ledger_entries
  where expires_at is not null
  union all
  select shard, player_no, lot_no, purse_id, amount, spins, expires_at
  from carried_lots`

/** Each finds spins that expire and break a rule. A lot without `amount` was a whole balance when lots began. */
export const lotChecks = {
  'what is left of each lot is what was granted, without what its entries took': `
select
  shard, player_no, lot_no, spin_lots.amount, given.amount as granted, given.spins, taken, spins_left,
  spin_lots.expires_at, given.expires_at as granted_until
from spin_lots
full join (${givenLots}
) as given using (shard, player_no, lot_no)
left join (${lotDraws('sum(spins) as taken')}
  group by shard, player_no, lot_no
) as draws using (shard, player_no, lot_no)
where (
  coalesce(spins_left, 0) <> coalesce(given.spins, 0) - coalesce(taken, 0)
  and coalesce(spins_left, given.amount) is not null
)
or spin_lots.amount <> given.amount
or spin_lots.purse_id <> given.purse_id
or spin_lots.expires_at <> given.expires_at`,

  'spins are taken from a lot of the same purse, used before it expires and removed afterwards': `
select draws.shard, draws.player_no, draws.entry_no, draws.kind, lot_no, draws.created_at, given.expires_at
from (${lotDraws('kind, entry_no, coalesce(purse_id, 0) as purse_id, created_at, -amount as due, spins')}
) as draws
left join (${givenLots}
) as given using (shard, player_no, lot_no)
where given.lot_no is null
or draws.spins not between 1 and due
or given.purse_id <> draws.purse_id
or (draws.kind = 'expiry') <> (draws.created_at >= given.expires_at)`,

  'the lots of a purse hold no more spins than the purse': `
select shard, player_no, purse_id, held, balance
from (
  select shard, player_no, purse_id, sum(spins_left) as held
  from spin_lots
  group by shard, player_no, purse_id
) as lots
left join (
  select shard, player_no, 0 as purse_id, balance
  from players
  union all
  select shard, player_no, purse_id, balance
  from player_purses
) as purses using (shard, player_no, purse_id)
where held > coalesce(balance, 0)`,

  "a player's next expiry is that of its earliest lot": `
select shard, player_no, next_expiry, earliest
from players
full join (
  select shard, player_no, merchant_id as lot_merchant_id, min(expires_at) as earliest
  from spin_lots
  group by shard, player_no, merchant_id
) as lots using (shard, player_no)
where next_expiry is distinct from earliest
or lot_merchant_id <> players.merchant_id`,
}
