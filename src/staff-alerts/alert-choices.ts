import { slugOf } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import type { AlertCause } from './alert-causes.ts'

/** A person at a merchant. */
type AlertReader = { merchantId: number; staffId: number }

/** What a person wants to be told: about a campaign, or about all that have no choice of their own. */
export type AlertChoice = { campaign: string | null; causes: AlertCause[] }

export async function listAlertChoices(
  db: Queryable,
  { merchantId, staffId }: AlertReader,
): Promise<AlertChoice[]> {
  return db.query(list, [merchantId, staffId])
}

export async function setAlertChoice(
  db: Queryable,
  { merchantId, staffId }: AlertReader,
  choice: { campaignId: number | null; causes: readonly AlertCause[]; now: Date },
): Promise<void> {
  await db.query(save, [merchantId, staffId, choice.campaignId, choice.causes, choice.now])
}

/** The choice for all campaigns holds for this one again. */
export async function removeAlertChoice(
  db: Queryable,
  { merchantId, staffId }: AlertReader,
  campaignId: number,
): Promise<void> {
  await db.query(remove, [merchantId, staffId, campaignId])
}

const list = statement<AlertChoice>(`
select
  case when campaign_id is null then null else ${slugOf('staff_alert_choices.campaign_id')} end as campaign,
  causes
from staff_alert_choices
where merchant_id = $1
and staff_id = $2
order by campaign_id nulls first`)

const save = statement(`
insert into staff_alert_choices (merchant_id, staff_id, campaign_id, causes, changed_at)
values ($1, $2, $3, $4, $5)
on conflict (merchant_id, staff_id, campaign_id) do update
set causes = excluded.causes, changed_at = excluded.changed_at`)

const remove = statement(`
delete from staff_alert_choices
where merchant_id = $1
and staff_id = $2
and campaign_id = $3`)
