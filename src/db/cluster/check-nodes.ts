import { Mistake } from '../../mistake.ts'
import { type Queryable, statement } from '../database.ts'

/** Refuses a database that can't be distributed, and says what to do. */
export async function checkNodes(db: Queryable): Promise<void> {
  const nodes = await reachNodes(db)
  if (!nodes.some(({ groupId }) => groupId === 0))
    throw new Mistake(
      'The coordinator is not in the cluster. Run `select citus_set_coordinator_host(…)` as superuser.',
    )
  if (nodes.every(({ groupId }) => groupId === 0))
    throw new Mistake('The cluster has no worker. Run `select citus_add_node(…)` for each, as superuser.')
  const tooHigh = nodes.filter(({ groupId }) => groupId > groupIdMax)
  if (tooHigh.length > 0)
    throw new Mistake(
      `The group of ${namesOf(tooHigh)} is above ${groupIdMax}: its player numbers would be too large. Make a new cluster.`,
    )
  const poor = nodes.filter(({ settings }) => !(settings.prepared > 0))
  if (poor.length > 0)
    throw new Mistake(`Set max_prepared_transactions on ${namesOf(poor)}: commits on two machines need it.`)
  const fixed = nodes.filter(({ settings }) => settings.wal !== 'logical')
  if (fixed.length > 0)
    throw new Mistake(`Set wal_level = logical on ${namesOf(fixed)}: Citus needs it to move shards.`)
}

/** Refuses a cluster of which a node does not answer to Wheelhouse's role. */
export async function reachNodes(db: Queryable): Promise<Node[]> {
  const [extension] = await db.query(findExtension)
  if (extension === undefined)
    throw new Mistake(
      'The extension citus is missing. Run `create extension citus` as superuser in this database, on every node.',
    )
  const nodes = await db.query(askNodes)
  const silent = nodes.find(({ isReached }) => !isReached)
  if (silent !== undefined) throw new Mistake(`The node ${silent.name} does not answer: ${silent.answer}`)
  return nodes.map(({ answer, ...node }) => ({ ...node, settings: JSON.parse(answer) as Node['settings'] }))
}

/** Tables change their place under a process that goes on reading and writing. */
export async function refuseOthers(db: Queryable): Promise<void> {
  const others = await db.query(findOthers)
  if (others.length > 0)
    throw new Mistake(
      'A Wheelhouse server or command uses this database. Stop all of them, and run this again.',
    )
}

type Node = { name: string; groupId: number; settings: { prepared: number; wal: string } }

// Workers number players from group × 2⁴⁸ on, and numbers above 2⁵³ are not exact in JavaScript.
const groupIdMax = 30

function namesOf(nodes: readonly Node[]): string {
  return nodes.map(({ name }) => name).join(', ')
}

const findExtension = statement(`
select
from pg_extension
where extname = 'citus'`)

const askNodes = statement<{ name: string; groupId: number; isReached: boolean; answer: string }>(`
select nodename || ':' || nodeport as name, groupid as "groupId", success as "isReached", result as answer
from run_command_on_all_nodes($$
  select json_build_object(
    'prepared', current_setting('max_prepared_transactions')::int,
    'wal', current_setting('wal_level')
  )
$$)
join pg_dist_node using (nodeid)
order by groupid`)

const findOthers = statement(`
select
from pg_stat_activity
where application_name = 'wheelhouse'
and datname = current_database()
and pid <> pg_backend_pid()`)
