/** Each finds rows that break a rule of campaigns and their purses. A null number is `main`, not that of its row. */
export const purseChecks = {
  'every other purse is the sum of its entries too': `
select shard, player_no, purse_id, balance, sum as sum_of_entries
from player_purses
full join (
  select shard, player_no, purse_id, sum(amount)
  from (
    select shard, player_no, purse_id, amount
    from ledger_entries
    where purse_id is not null
    union all
    select shard, player_no, purse_id, balance
    from archived_purses
  ) as entered
  group by shard, player_no, purse_id
) as sums using (shard, player_no, purse_id)
where balance is distinct from sum`,

  'campaigns and purses of entries and plays belong to the merchant and to each other': `
select shard, player_no, entry_no, campaign_id, ledger_entries.purse_id
from ledger_entries
left join campaigns using (campaign_id)
where (campaign_id is not null or ledger_entries.purse_id is not null)
and (
  campaigns.merchant_id is distinct from ledger_entries.merchant_id
  or campaigns.purse_id is distinct from coalesce(ledger_entries.purse_id, 0)
  or campaigns.slug = 'main'
)
union all
select plays.shard, plays.player_no, play_no, plays.campaign_id, null
from plays
left join campaigns using (campaign_id)
where plays.campaign_id is not null
and (campaigns.merchant_id is distinct from plays.merchant_id or campaigns.slug = 'main')
union all
select shard, player_no, null, campaigns.campaign_id, archived_purses.purse_id
from archived_purses
left join campaigns on campaigns.campaign_id = archived_purses.purse_id
where campaigns.merchant_id is distinct from archived_purses.merchant_id
union all
select null, null, null, campaigns.campaign_id, campaigns.purse_id
from campaigns
left join campaigns as maker on maker.campaign_id = campaigns.purse_id
where campaigns.purse_id <> 0
and (maker.merchant_id is distinct from campaigns.merchant_id or maker.purse_id <> maker.campaign_id)`,

  'the key of initial spins names their campaign': `
select shard, player_no, entry_no, key
from ledger_entries
left join campaigns using (campaign_id)
where kind = 'initial'
and key <> 'initial' || coalesce(':' || slug, '')`,
}
