// What the tests that send many grants through a lossy proxy share.
import { type Database, statement } from '../../src/db/database.ts'
import type { Fault } from '../scenes/lossy-proxy.ts'

export const faults: Fault[] = [
  'drop-request',
  'drop-answer',
  'cut-answer',
  'silence',
  'delay',
  'overloaded',
  'bad-gateway',
]

/** Two of five requests meet a fault, each with the same probability. */
export const anyFault = (): Fault =>
  Math.random() < 0.4 ? (faults[Math.floor(Math.random() * faults.length)] as Fault) : 'none'

const amounts = statement<{ amount: number }>(`
  select amount
  from ledger_entries
  where merchant_id = $1
  order by amount`)

export async function amountsInLedger(db: Database, merchantId: number): Promise<number[]> {
  return (await db.query(amounts, [merchantId])).map(({ amount }) => amount)
}
