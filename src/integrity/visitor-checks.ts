/**
 * Each finds entries of visitors that don't fit their player or their spins. The number of `main` is 0, and null in the
 * ledger. Of players with an archive, the spins may be in a file.
 */
export const visitorChecks = {
  'every entry of a visitor belongs to a player of the same merchant': `
select shard, player_no, entry_id, visitor_entries.merchant_id
from visitor_entries
left join players using (shard, player_no)
where players.player_no is null
or players.merchant_id <> visitor_entries.merchant_id`,

  'every entry of a visitor has given its spins once, and such spins come from no other source': `
select shard, player_no, campaign, entry_id, key, grants
from (
  select *, campaign_id as campaign
  from visitor_entries
) as visitors
full join (
  select shard, player_no, coalesce(campaign_id, 0) as campaign, merchant_id, count(*) as grants, min(key) as key
  from ledger_entries
  where kind = 'entry'
  group by 1, 2, 3, 4
) as granted using (shard, player_no, campaign)
left join campaigns on campaigns.campaign_id = campaign
left join archived_players as archived using (shard, player_no)
where entry_id is null
or (key is null and archived.entry_no is null)
or grants <> 1
or granted.merchant_id <> visitors.merchant_id
or key <> 'entry' || coalesce(':' || slug, '')`,
}
