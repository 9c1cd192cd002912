import { type Database, statement } from '../db/database.ts'

/** Asks the database for its time. Returns how far the two clocks are apart, in seconds. */
export async function clockOffset(db: Database, now: () => Date): Promise<number> {
  const before = now().getTime()
  const [row] = await db.query(readClock)
  const after = now().getTime()
  const its = row?.now.getTime() ?? Number.NaN
  // The database read its clock at some time between the two.
  return Math.max(0, before - its, its - after) / 1000
}

const readClock = statement<{ now: Date }>('select clock_timestamp() as now')
