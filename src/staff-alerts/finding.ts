import { campaignNumber } from '../campaign-ref.ts'
import type { Queryable } from '../db/database.ts'
import { merchantTime } from '../test-clock.ts'

/** Something that is so now, and that staff may be told. */
export type Finding = {
  merchantId: number
  /** What it is about. It is told once, until it was over for a while. */
  subject: string
  /** The campaigns that it is about, `main` as 0; none if it is about the whole merchant. */
  campaigns: number[]
  /** A line of the mail. */
  name: string
  value: string
  /** Where the console shows it. */
  path: string
}

/** Looks at some merchants, each at its own time. `now` is the real time. */
export type FindFindings = (db: Queryable, merchantIds: readonly number[], now: Date) => Promise<Finding[]>

/** The time of the merchant, in a statement that joins `merchants` and whose $2 is the real time. */
export const timeThere = `(${merchantTime('$2')})`

/** The numbers of campaigns that have a wheel and are not over. The statement joins `merchants` and `wheels`. */
export const campaignsOfWheel = `array(
    select ${campaignNumber}
    from campaigns
    where campaigns.merchant_id = merchants.merchant_id
    and coalesce(campaigns.wheel_id, merchants.wheel_id) = wheels.wheel_id
    and campaigns.archived_at is null
    and coalesce(campaigns.closes_at > ${timeThere}, true)
  )`
