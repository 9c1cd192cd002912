// Databases on the nodes of a Citus cluster, of the role that the tests use.
import pg from 'pg'
import { type DatabaseTarget, parseDatabaseUrl } from '../src/settings/database-url.ts'

/** A superuser at each node of the cluster with this coordinator, which comes first. */
export async function nodesOf(url: string): Promise<DatabaseTarget[]> {
  const [given] = parseDatabaseUrl(url)
  if (typeof given !== 'object') throw new Error(`DATABASE_URL ${parseDatabaseUrl(url) as string}`)
  const rows = await atNode(given, given.database, (client) =>
    client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node order by groupid',
    ),
  )
  return rows.rows.map(({ host, port }) => ({ ...given, host, port }))
}

/** A database without tables, of a role that is not a superuser. Nodes after the first `count` are not used yet. */
export async function createOnNodes(
  nodes: readonly DatabaseTarget[],
  database: string,
  count = nodes.length,
): Promise<DatabaseTarget> {
  await Promise.all(nodes.map((node) => createDatabase(node, database)))
  const [coordinator, ...workers] = nodes.slice(0, count) as [DatabaseTarget, ...DatabaseTarget[]]
  await atNode(coordinator, database, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
  })
  return { ...coordinator, user: 'wheelhouse', password: undefined, database }
}

async function createDatabase(node: DatabaseTarget, database: string): Promise<void> {
  await atNode(node, 'postgres', async (client) => {
    const { rowCount } = await client.query(`select from pg_roles where rolname = 'wheelhouse'`)
    if (rowCount === 0) await client.query('create role wheelhouse login')
    await client.query(`create database ${database} owner wheelhouse`)
  })
  await atNode(node, database, (client) => client.query('create extension citus'))
}

export async function dropOnNodes(nodes: readonly DatabaseTarget[], database: string): Promise<void> {
  const drop = `drop database if exists ${database} with (force)`
  await Promise.all(nodes.map((node) => atNode(node, 'postgres', (client) => client.query(drop))))
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
