import { setTimeout as sleep } from 'node:timers/promises'
import { type Queryable, statement } from '../database.ts'

type Node = { host: string; port: number }

/** The nodes to which the coordinator gets no new connection within this time. */
export async function silentNodes(db: Queryable, withinMs: number): Promise<string[]> {
  const nodes = await db.query(readNodes)
  const reached = await Promise.all(nodes.map((node) => reaches(db, node, withinMs)))
  return nodes.filter((_, index) => !reached[index]).map(({ host, port }) => `${host}:${port}`)
}

async function reaches(db: Queryable, { host, port }: Node, withinMs: number): Promise<boolean> {
  const waiting = new AbortController()
  const tooLate = sleep(withinMs, false, { signal: waiting.signal }).catch(() => false)
  const answer = db.query(tryConnection, [host, port]).then(([row]) => row?.isReached === true)
  return Promise.race([answer.catch(() => false), tooLate]).finally(() => waiting.abort())
}

const readNodes = statement<Node>(`
select nodename as host, nodeport as port
from pg_dist_node
where isactive
and noderole = 'primary'`)

const tryConnection = statement<{ isReached: boolean }>(`
select citus_check_connection_to_node($1, $2) as "isReached"`)
