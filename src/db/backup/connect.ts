import pg from 'pg'
import { databaseDeadlines } from '../../limits.ts'
import type { DatabaseTarget } from '../../settings/database-url.ts'
import { DatabaseFailure } from '../database-fault.ts'
import { PrimaryHost } from '../primary-host.ts'

/** One connection outside the pool, to the target that takes writes: the same one that a server would use. */
export async function connect(
  targets: readonly DatabaseTarget[],
  options: { replication?: 'database' } = {},
): Promise<pg.Client> {
  const primary = new PrimaryHost(targets, {})
  if (primary.isInDoubt) await primary.find()
  const client = new pg.Client({
    ...primary.current,
    ...options,
    application_name: 'wheelhouse backup',
    connectionTimeoutMillis: databaseDeadlines.connectMs,
    keepAlive: true,
  })
  client.on('error', () => undefined) // The query under way fails with the reason.
  await client.connect().catch((error: unknown) => {
    throw new DatabaseFailure(error)
  })
  return client
}
