import { execFileSync } from 'node:child_process'
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { Database, statement } from '../../src/db/database.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { rotateSigningKeys } from '../../src/crypto/signing-keys.ts'
import { parseDatabaseUrl } from '../../src/settings/database-url.ts'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import { publishWheel, saveDraft } from '../../src/wheels/wheels.ts'
import { program } from '../contestants/wheelhouse.ts'
import { childrenMicros } from '../scene/server-process.ts'

/** A database to measure: a cluster, or one PostgreSQL. */
export type Side = {
  name: string
  db: Database
  merchants: { unlimited: number; stocked: number }
  /** Processor time of all its servers, in microseconds. */
  micros: () => number
}

export const clients = 8

/** Migrates the database, spreads it over the cluster, and adds two merchants. Their prizes differ: one has a stock. */
export async function openSide(name: string, url: string): Promise<Side> {
  const commands = name === 'cluster' ? ['migrate', 'distribute'] : ['migrate']
  for (const command of commands)
    execFileSync(program, [command], {
      env: { PATH: process.env.PATH, DATABASE_URL: url },
      cwd: tmpdir(),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const targets = parseDatabaseUrl(url)
  assert(typeof targets !== 'string', `the address of ${name} is not one of PostgreSQL`)
  const db = new Database({
    targets,
    poolMax: clients,
    pooler: false,
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 60_000,
    applicationName: 'wheelhouse-bench',
    onConnectionError: () => undefined,
  })
  await rotateSigningKeys(db, 'seeds', new Date())
  const merchants = { unlimited: await addMerchant(db), stocked: await addMerchant(db, 1_000_000_000) }
  assert.equal(db.isCluster, name === 'cluster', `${name} is not what it should be`)
  const found = await db.query(db.isCluster ? readPids : readPid)
  const pids = found.map(({ pid }) => Number(pid))
  const micros = () => pids.reduce((sum, pid) => sum + (childrenMicros(pid) ?? Number.NaN), 0)
  assert(Number.isFinite(micros()), `the servers of ${name} have to run on this machine, which needs /proc`)
  return { name, db, merchants, micros }
}

async function addMerchant(db: Database, stock?: number): Promise<number> {
  const now = new Date()
  const slug = `bench-${now.getTime().toString(36)}${stock === undefined ? '' : '-stocked'}`
  const { merchantId } = await createMerchant(db, { slug, name: slug, now })
  const first = {
    id: 'first',
    label: 'First',
    color: '#112233',
    weight: 1,
    prize: { kind: 'handover' as const },
  }
  const nothing = { ...first, id: 'nothing', label: 'Nothing', weight: 0, prize: { kind: 'none' as const } }
  const segments = [stock === undefined ? first : { ...first, stock }, nothing]
  const draft = { ...defaultWheel, fallback: 'nothing', segments }
  await saveDraft(db, { merchantId, slug: 'main', draft, revision: undefined, now })
  await publishWheel(db, { merchantId, slug: 'main', now })
  return merchantId
}

const ownPid = `split_part(pg_read_file('postmaster.pid'), e'\\n', 1)`
const readPid = statement<{ pid: string }>(`select ${ownPid} as pid`)
const readPids = statement<{ pid: string }>(
  `select result as pid from run_command_on_all_nodes($$select ${ownPid}$$)`,
)
