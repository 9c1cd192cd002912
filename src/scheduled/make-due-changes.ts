import type { Database, Transaction } from '../db/database.ts'
import { dueChangesAtOnceMax } from '../limits.ts'
import { timeOf } from '../test-clock.ts'
import { listDue, type ScheduledKey, type ScheduledKind } from './scheduled-changes.ts'

/** Makes one change, or notes why it failed. It locks the subject, and then reads whether the change is still due. */
type MakeChange = (tx: Transaction, key: ScheduledKey, now: Date) => Promise<void>

/**
 * Makes all changes that are due, each in its own transaction. Any process may call it at any time: the lock on the
 * subject decides which one makes the change. An error delays one change only; it is tried again with the next call.
 */
export async function makeDueChanges(
  db: Database,
  now: Date,
  options: {
    make: Record<ScheduledKind, MakeChange>
    onTrouble: (error: unknown, key: ScheduledKey) => void
  },
): Promise<number> {
  const due = await listDue(db, now, dueChangesAtOnceMax)
  for (const { clockAheadMs, ...key } of due) {
    try {
      await db.transaction((tx) => options.make[key.kind](tx, key, timeOf({ clockAheadMs }, now)))
    } catch (error) {
      options.onTrouble(error, key)
    }
  }
  return due.length
}
