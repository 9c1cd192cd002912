// Fixtures for the tests of the embedded PostgreSQL: its folders, processes and first merchant.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { before } from 'node:test'
import pg from 'pg'
import { clusterFolder } from '../../src/db/embedded/cluster-folders.ts'
import { EmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import {
  type Answer,
  defer,
  type Lifetime,
  makeFolder,
  post,
  type ServerProcess,
  suiteLifetime,
  until,
} from '../scenes/scene.ts'

/** Creates data folders with a cluster that has run before. They are copies, because initdb is the slowest step. */
export function clusterMaker(): (t: Lifetime) => string {
  let template: string
  const lifetime = suiteLifetime()
  before(async () => {
    template = makeDataDir(lifetime)
    const embedded = await start(lifetime, template)
    await embedded.stop()
  })
  return (t) => {
    const dataDir = makeDataDir(t)
    execFileSync('cp', ['-a', join(template, 'embedded'), dataDir])
    return dataDir
  }
}

/** Kills every process that still runs on the folder at the end. */
export function makeDataDir(t: Lifetime): string {
  const dataDir = makeFolder(t)
  stopAtTheEnd(t, dataDir)
  return dataDir
}

export function stopAtTheEnd(t: Lifetime, dataDir: string): void {
  defer(t, async () => {
    if (!hasPostmaster(dataDir)) return
    const postmaster = postmasterOf(dataDir)
    if (!commandOf(postmaster).includes(clusterOf(dataDir))) return
    // Immediate, but unlike SIGKILL it leaves no shared memory behind.
    process.kill(postmaster, 'SIGQUIT')
    await until(() => !runs(postmaster))
  })
}

export async function start(
  t: Lifetime,
  dataDir: string,
  options = { sharingAllowed: false },
): Promise<EmbeddedPostgres> {
  const embedded = await EmbeddedPostgres.start({ dataDir, ...options, onTrouble: () => undefined })
  defer(t, () => embedded.stop())
  return embedded
}

export async function queryOnce(embedded: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client(embedded.target)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export function clusterOf(dataDir: string): string {
  return clusterFolder(realpathSync(join(dataDir, 'embedded')))
}

export function hasPostmaster(dataDir: string): boolean {
  return existsSync(join(dataDir, 'embedded')) && existsSync(join(clusterOf(dataDir), 'postmaster.pid'))
}

export function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8'), 10)
}

/** Whether a process exists and is no zombie: an orphan may have no parent to reap it. */
export function runs(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}

function commandOf(pid: number): string {
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
}

export function demoToken(server: ServerProcess): string {
  const token = /^ {2}(\S+:[0-9a-f]{64})$/m.exec(server.output())?.[1]
  assert.ok(token, server.output())
  return token
}

export function grant(server: { url: string }, token: string, key: string): Promise<Answer> {
  const body = { playerId: 'ann', spinNumber: 5 }
  return post(`${server.url}/api/player/increaseSpin`, token, body, { 'Idempotency-Key': key })
}
