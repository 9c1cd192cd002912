import { Mistake } from '../../mistake.ts'
import { type Queryable, statement } from '../database.ts'

/** Refuses a database that can't be distributed, and says what to do. */
export async function checkNodes(db: Queryable): Promise<void> {
  const [extension] = await db.query(findExtension)
  if (extension === undefined)
    throw new Mistake('The extension citus is missing. Create it in this database, on every node.')
  const nodes = await db.query(readNodes)
  if (!nodes.some((node) => node.isCoordinator))
    throw new Mistake('The coordinator is not in the cluster. Run `select citus_set_coordinator_host(…)`.')
  if (nodes.every((node) => node.isCoordinator))
    throw new Mistake('The cluster has no worker. Run `select citus_add_node(…)` for each.')
  const settings = await db.query(readSettings)
  const poor = settings.filter(({ prepared }) => !(Number(prepared) > 0))
  if (poor.length > 0)
    throw new Mistake(
      `Set max_prepared_transactions on ${poor.map(({ node }) => node).join(', ')}: commits on two machines need it.`,
    )
  const servers = await db.query(findServers)
  if (servers.length > 0) throw new Mistake('A Wheelhouse server uses this database. Stop all of them first.')
}

const findExtension = statement(`
select
from pg_extension
where extname = 'citus'`)

const readNodes = statement<{ isCoordinator: boolean }>(`
select groupid = 0 as "isCoordinator"
from pg_dist_node
where isactive
and noderole = 'primary'`)

const readSettings = statement<{ node: string; prepared: string }>(`
select nodename || ':' || nodeport as node, result as prepared
from run_command_on_all_nodes('show max_prepared_transactions')
join pg_dist_node using (nodeid)`)

const findServers = statement(`
select
from pg_stat_activity
where application_name = 'wheelhouse'
and datname = current_database()
and pid <> pg_backend_pid()`)
