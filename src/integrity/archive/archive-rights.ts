import { type Queryable, statement } from '../../db/database.ts'

/** Only one transaction at a time removes archived rows or puts them back. */
export async function lockArchiving(tx: Queryable): Promise<void> {
  await tx.query(lock)
}

/** Gives a transaction the right to remove rows. It ends in the same transaction, so nobody else ever has it. */
export async function withRights<T>(tx: Queryable, work: () => Promise<T>): Promise<T> {
  await tx.query(allow)
  const result = await work()
  await tx.query(forbid)
  return result
}

const lock = statement(`
select pg_advisory_xact_lock(7437004)`)

const kept = 'ledger_entries, plays, forced_plays, ledger_seal_parts, ledger_archives, archived_keys'

const allow = statement(`
grant delete on ${kept} to current_user;
grant update on archived_keys to current_user`)

const forbid = statement(`
revoke delete on ${kept} from current_user;
revoke update on archived_keys from current_user`)
