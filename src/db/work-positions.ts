import { type Queryable, statement } from './database.ts'

/** Background work that moves forward in time, in one process at a time. */
export type Work = 'alerts' | 'backups' | 'counts' | 'drift' | 'prizes' | 'seals' | 'visits' | OwnWork
/** Of one test merchant, by its clock. */
type OwnWork = `${'counts' | 'visits'} of ${number}`

/**
 * The position of the work, locked until the transaction ends. Undefined if another process holds the lock. `start` is
 * the position of work that has never run.
 */
export async function takePosition(tx: Queryable, work: Work, start: Date): Promise<Date | undefined> {
  await tx.query(insert, [work, start])
  const [row] = await tx.query(lock, [work])
  return row?.position
}

export async function movePosition(tx: Queryable, work: Work, position: Date): Promise<void> {
  await tx.query(update, [work, position])
}

/** Notes that writes worked at this time. One row for all processes, and on a cluster one more on every machine. */
export async function noteWrite(tx: Queryable, at: Date): Promise<void> {
  await tx.query(insertOrUpdate, ['write probe', at])
  if (tx.isCluster === true) await tx.query(updateProbe, [at])
}

/** Notes when the newest backup was begun, wherever it was put. */
export async function noteBackup(db: Queryable, startedAt: string): Promise<void> {
  await db.query(insertOrUpdate, ['backups', new Date(startedAt)])
}

/** The position of the work, without a lock. */
export async function readPosition(db: Queryable, work: Work): Promise<Date | undefined> {
  const [row] = await db.query(read, [work])
  return row?.position
}

const insert = statement(`
insert into work_positions (work, position)
select $1, $2
where not exists (
  select from work_positions
  where work = $1
)
on conflict do nothing`)

const lock = statement<{ position: Date }>(`
select position
from work_positions
where work = $1
for update skip locked`)

const update = statement(`
update work_positions
set position = $2
where work = $1`)

const insertOrUpdate = statement(`
insert into work_positions (work, position)
values ($1, $2)
on conflict (work) do update
set position = excluded.position`)

// A table that is copied to every machine.
const updateProbe = statement(`
update cluster_probe
set probed_at = $1`)

const read = statement<{ position: Date }>(`
select position
from work_positions
where work = $1`)
