// Databases for tests on one PostgreSQL, or on all nodes of a Citus cluster.
import pg from 'pg'
import { type DatabaseTarget, parseDatabaseUrl } from '../../src/settings/database-url.ts'

/** A superuser at each node of the cluster with this coordinator, which comes first, or at a single PostgreSQL. */
export async function nodesOf(url: string): Promise<DatabaseTarget[]> {
  const [given] = parseDatabaseUrl(url)
  if (typeof given !== 'object') throw new Error(`DATABASE_URL ${parseDatabaseUrl(url) as string}`)
  return atNode(given, given.database, async (client) => {
    const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`)
    if (rowCount === 0) return [given]
    const { rows } = await client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node order by groupid',
    )
    return rows.map(({ host, port }) => ({ ...given, host, port }))
  })
}

/** A database without tables, of a role that is not a superuser. Nodes after the first `count` are not used yet. */
export async function createOnNodes(
  nodes: readonly DatabaseTarget[],
  database: string,
  count = nodes.length,
): Promise<DatabaseTarget> {
  await Promise.all(nodes.map((node) => createDatabase(node, database)))
  const [coordinator, ...workers] = nodes.slice(0, count) as [DatabaseTarget, ...DatabaseTarget[]]
  const target = { ...coordinator, user: 'wheelhouse', password: undefined, database }
  if (workers.length === 0) return target
  await Promise.all(
    nodes.map((node) => atNode(node, database, (client) => client.query('create extension citus'))),
  )
  await atNode(coordinator, database, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
  })
  return target
}

async function createDatabase(node: DatabaseTarget, database: string): Promise<void> {
  await atNode(node, 'postgres', async (client) => {
    const { rowCount } = await client.query(`select from pg_roles where rolname = 'wheelhouse'`)
    if (rowCount === 0) await client.query('create role wheelhouse login')
    await client.query(`create database ${database} owner wheelhouse`)
  })
}

export async function dropOnNodes(nodes: readonly DatabaseTarget[], database: string): Promise<void> {
  const drop = `drop database if exists ${database} with (force)`
  await onNodes(nodes, drop).catch(() => onNodes(nodes, drop))
}

/** A process of Citus may have come between: the caller tries again. */
export async function onNodes(nodes: readonly DatabaseTarget[], text: string): Promise<void> {
  await Promise.all(nodes.map((node) => atNode(node, 'postgres', (client) => client.query(text))))
}

export async function atNode<T>(
  node: DatabaseTarget,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...node, database })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
