// Databases of their own on the nodes of a Citus cluster, for tests that distribute tables or bring them back.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import { createOnNodes, dropOnNodes } from '../scenes/database-nodes.ts'
import { databaseNodes, databaseUrl, defer, type Lifetime, main, node, runCli } from '../scenes/scene.ts'

/** Why tests that need Citus don't run, or false. */
export const skipsCluster = databaseNodes.length === 1 && 'run it by `npm run test:cluster` (docs/scale.md)'

export type ClusterDatabase = {
  target: DatabaseTarget
  env: { DATABASE_URL: string }
  nodes: readonly DatabaseTarget[]
}

/** An empty database of a role that is not a superuser. `spare` gets the database, and is not a node yet. */
export async function makeClusterDatabase(t: Lifetime, spare?: string): Promise<ClusterDatabase> {
  const database = `test_${randomBytes(6).toString('hex')}`
  const spares = spare === undefined ? [] : [nodeAt(spare)]
  const all = [...databaseNodes, ...spares]
  defer(t, () => dropOnNodes(all, database))
  const target = await createOnNodes(all, database, databaseNodes.length)
  return { target, env: { DATABASE_URL: databaseUrl(target) }, nodes: databaseNodes }
}

/** For the superuser of the given cluster. */
export function nodeAt(address: string): DatabaseTarget {
  const [host = '', port] = address.split(':')
  return { ...databaseNodes[0], host, port: Number(port) }
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
