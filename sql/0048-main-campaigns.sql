-- Every merchant has a row for its campaign `main` (docs/decisions/0100-main-is-a-row.md). Until now it had one only
-- once it was changed, and the row had the time of that change. The wheel of `main` stays in merchants, and elsewhere
-- the number of `main` is still null or 0, not that of its row.
update campaigns
set created_at = merchants.created_at
from merchants
where merchants.merchant_id = campaigns.merchant_id
and campaigns.slug = 'main';

-- `on conflict` instead of a condition: Citus draws no sequence number beside a correlated subquery.
insert into campaigns (merchant_id, slug, name, purse_id, revision, created_at)
select merchant_id, 'main', 'Main', 0, 0, created_at
from merchants
on conflict (merchant_id, slug) do nothing;
