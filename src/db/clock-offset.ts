import { type Queryable, statement } from './database.ts'

/** How far the clock `now` and the database's are apart, in milliseconds. A slow answer makes it inexact. */
export async function clockOffsetMs(db: Queryable, now: () => Date): Promise<number> {
  const before = now().getTime()
  const [row] = await db.query(readClock)
  const between = (before + now().getTime()) / 2
  return Math.round(Math.abs((row?.now.getTime() ?? 0) - between))
}

const readClock = statement<{ now: Date }>('select clock_timestamp() as now')
