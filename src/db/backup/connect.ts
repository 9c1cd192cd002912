import pg from 'pg'
import { databaseDeadlines } from '../../limits.ts'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import { DatabaseFailure } from '../database-fault.ts'

/** One connection outside the pool, to the first target that takes writes. */
export async function connect(
  targets: readonly DatabaseTarget[],
  options: { replication?: 'database' } = {},
): Promise<pg.Client> {
  let failure: unknown
  for (const target of targets) {
    const client = new pg.Client({
      ...target,
      ...options,
      application_name: 'wheelhouse backup',
      connectionTimeoutMillis: databaseDeadlines.connectMs,
      keepAlive: true,
    })
    client.on('error', () => undefined) // The query under way fails with the reason.
    try {
      await client.connect()
      if (targets.length === 1 || !(await isReadOnly(client))) return client
      await client.end()
    } catch (error) {
      failure = error
    }
  }
  throw new DatabaseFailure(failure)
}

async function isReadOnly(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  return rows[0]?.transaction_read_only === 'on'
}
