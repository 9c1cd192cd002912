import { timeThere } from '../finding.ts'

/** When the day began in the zone of the wheel. The statement joins `wheel_versions`. */
export const todayThere = `(
  date_trunc('day', ${timeThere} at time zone (document ->> 'timeZone')) at time zone (document ->> 'timeZone')
)`

export const runLasts = `(pace_runs.ended_at is null and pace_runs.ends_at > ${timeThere})`
