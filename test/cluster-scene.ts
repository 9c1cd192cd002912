// Databases of their own on the nodes of a Citus cluster, for tests that distribute tables or bring them back.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { type DatabaseTarget, parseDatabaseUrl } from '../src/settings/database-url.ts'
import { databaseUrl, defer, type Lifetime, main, node, runCli } from './scene.ts'

const clusterUrl = process.env.TEST_CLUSTER_URL ?? ''
/** Why tests that need Citus don't run, or false. */
export const skipsCluster =
  process.env.TEST_CLUSTER_URL === undefined && 'run it by `npm run test:cluster` (docs/scale.md)'

export type Node = { host: string; port: number }
export type ClusterDatabase = { target: DatabaseTarget; env: { DATABASE_URL: string }; nodes: Node[] }

/**
 * An empty database of a role that is not a superuser, with all nodes of the given cluster. The coordinator comes first.
 * `spare` gets the database, and is not a node yet.
 */
export async function makeClusterDatabase(t: Lifetime, spare?: string): Promise<ClusterDatabase> {
  const given = parseDatabaseUrl(clusterUrl)[0] as DatabaseTarget
  const database = `test_${randomBytes(6).toString('hex')}`
  const nodes = await atNode(given, given.database, async (client) => {
    const { rows } = await client.query<Node>(
      'select nodename as host, nodeport as port from pg_dist_node order by groupid',
    )
    return rows
  })
  const all = spare === undefined ? nodes : [...nodes, nodeAt(spare)]
  await Promise.all(all.map((one) => createDatabase(one, database)))
  defer(t, () =>
    Promise.all(
      all.map((one) => atNode(one, 'postgres', (c) => c.query(`drop database ${database} with (force)`))),
    ),
  )
  const [coordinator, ...workers] = nodes as [Node, ...Node[]]
  await atNode(coordinator, database, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
  })
  const target = { ...given, ...coordinator, user: 'wheelhouse', database }
  return { target, env: { DATABASE_URL: databaseUrl(target) }, nodes }
}

export function nodeAt(address: string): Node {
  const [host = '', port] = address.split(':')
  return { host, port: Number(port) }
}

async function createDatabase(one: Node, database: string): Promise<void> {
  await atNode(one, 'postgres', async (client) => {
    const { rowCount } = await client.query(`select from pg_roles where rolname = 'wheelhouse'`)
    if (rowCount === 0) await client.query('create role wheelhouse login')
    await client.query(`create database ${database} owner wheelhouse`)
  })
  await atNode(one, database, (client) => client.query('create extension citus'))
}

/** As the superuser of the given cluster. */
export async function atNode<T>(
  { host, port }: Node,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { user, password } = parseDatabaseUrl(clusterUrl)[0] as DatabaseTarget
  const client = new pg.Client({ host, port, user, password, database })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Fails with the output if the command fails. */
export async function command({ env }: ClusterDatabase, ...args: string[]): Promise<string> {
  const run = await runCli(args, env)
  if (run.code !== 0) throw new Error(`wheelhouse ${args.join(' ')}: ${run.stdout}${run.stderr}`)
  return run.stdout.trim()
}

/** Runs a command and kills it as soon as it has printed the text. */
export async function commandKilledAt(
  { env }: ClusterDatabase,
  text: string,
  ...args: string[]
): Promise<void> {
  const child: ChildProcess = spawn(node, [main, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    output += part
    if (output.includes(text)) child.kill('SIGKILL')
  })
  await once(child, 'exit')
  if (!output.includes(text)) throw new Error(`wheelhouse ${args.join(' ')} ended: ${output}`)
}
