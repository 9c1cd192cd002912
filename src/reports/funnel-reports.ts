import type { Queryable } from '../db/database.ts'
import type { ReportScope } from './counts-by-day.ts'
import type { ReportDay } from './report-days.ts'
import { readVisitsByDay, type VisitStage, visitStages } from './visit-days.ts'

/** How many visits came to each stage. */
export type Funnel = { stage: VisitStage; visits: number }[]

/** Of the visits of these days, how many came to each stage, also if they came there later. */
export async function reportFunnel(
  db: Queryable,
  scope: ReportScope,
  days: readonly ReportDay[],
): Promise<Funnel> {
  const visitsByDay = await readVisitsByDay(db, scope, days)
  return visitStages.map((stage) => ({
    stage,
    visits: visitsByDay.reduce((sum, visits) => sum + visits[stage], 0),
  }))
}
