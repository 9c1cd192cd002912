import { timeThere } from '../finding.ts'

/**
 * What a row of `pace_runs` had given when the day began in the zone of its wheel. While a run lasts, staff learn that
 * of whole past days only, as in reports. The statement joins `wheel_versions`.
 */
export const givenBeforeToday = `(${unitBeforeToday('award')} - ${unitBeforeToday('return')})`

/** The number of the last unit that was given, or came back, before today. */
export function unitBeforeToday(kind: 'award' | 'return'): string {
  return `coalesce(
      (
        select max(unit)
        from pace_entries
        where pace_entries.merchant_id = pace_runs.merchant_id
        and pace_entries.wheel_id = pace_runs.wheel_id
        and pace_entries.prize_id = pace_runs.prize_id
        and pace_entries.run = pace_runs.run
        and kind = '${kind}'
        and at < date_trunc('day', ${timeThere} at time zone (document ->> 'timeZone'))
          at time zone (document ->> 'timeZone')
      ),
      0
    )`
}

export const runLasts = `(pace_runs.ended_at is null and pace_runs.ends_at > ${timeThere})`
