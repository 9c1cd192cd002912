// Fixtures for all tests: a database, a server, a merchant. All of them are real, and removed when the test ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { createCampaign } from '../../src/campaigns/change-campaigns.ts'
import { type Config, parseConfig } from '../../src/config.ts'
import { type Context, makeContext } from '../../src/context.ts'
import { Database, type DatabaseOptions } from '../../src/db/database.ts'
import { type DatabaseTarget, parseDatabaseUrl } from '../../src/settings/database-url.ts'
import { migrate } from '../../src/db/migrate.ts'
import { rotateSigningKeys } from '../../src/crypto/signing-keys.ts'
import { checkPayload } from '../../src/events/check-payloads.ts'
import { checkEventsBy } from '../../src/events/event-pages.ts'
import { buildApp } from '../../src/http/app.ts'
import { databaseDeadlines } from '../../src/limits.ts'
import { makeLog } from '../../src/log.ts'
import { type Merchant, type MerchantSettings, setSettings } from '../../src/merchants/merchants.ts'
import type { Scope } from '../../src/merchants/scopes.ts'
import { issueToken } from '../../src/merchants/service-tokens.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { startTracing } from '../../src/tracing/start-tracing.ts'
import { atNode, dropOnNodes, onNodes } from './database-nodes.ts'
import { patientDeadlines } from './patience.ts'

// Each server's log listens for the end of the process, and a process has many servers here.
process.setMaxListeners(0)

const patience = `--import=${join(import.meta.dirname, 'patience.ts')}`

/** For tests about deadlines. They hold for all tests that run at the same time in this process. */
export function setDeadlines(t: Lifetime, deadlines: Partial<typeof databaseDeadlines>): void {
  Object.assign(databaseDeadlines, deadlines)
  defer(t, () => Object.assign(databaseDeadlines, patientDeadlines))
}

// Every event that a test causes in this process is checked against the catalogue.
checkEventsBy(checkPayload)

export const repository = join(import.meta.dirname, '..', '..')
export const node = process.execPath
export const main = join(repository, 'src', 'main.ts')

/** The lifetime of a fixture: a test, or a suite through `suiteLifetime`. */
export type Lifetime = { after: (end: () => unknown) => void; passed?: boolean }

/** For fixtures that the tests of one suite share. Call it in the body of `describe`. */
export function suiteLifetime(): Lifetime {
  const ends: (() => unknown)[] = []
  after(() => endAll(ends))
  return { after: (end) => void ends.push(end) }
}

const endsOf = new WeakMap<Lifetime, (() => unknown)[]>()

/** Cleans up in reverse order: a server before its database. (The runner would start with the oldest.) */
export function defer(t: Lifetime, end: () => unknown): void {
  const ends = endsOf.get(t) ?? []
  if (!endsOf.has(t)) t.after(() => endAll(ends))
  endsOf.set(t, ends)
  ends.push(end)
}

async function endAll(ends: (() => unknown)[]): Promise<void> {
  for (const end of ends.toReversed()) await end()
}

const host = process.env.TEST_DATABASE_HOST
const given = process.env.TEST_DATABASE_NODES
if (host === undefined && given === undefined)
  throw new Error('Run the tests with `npm test`, or one file with `npm test -- test/….test.ts`.')

/** A superuser at the one PostgreSQL, or at each node of a Citus cluster, of which the coordinator comes first. */
export const databaseNodes = parseDatabaseUrl(
  given ?? `postgresql://postgres@${encodeURIComponent(host ?? '')}/postgres`,
) as [DatabaseTarget, ...DatabaseTarget[]]
const isCluster = databaseNodes.length > 1

/** For tests that damage rows in ways that Citus refuses, or look at plans or locks, which are on the workers. */
export const notOnCluster = isCluster ? { skip: 'it damages rows, or looks at plans or locks' } : {}

/** A superuser's connection to the test cluster, for operations that Wheelhouse's own role is not allowed. */
export async function asSuperuser<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return atNode(databaseNodes[0], database, work)
}

/** An empty database for one test. */
export async function makeEmptyDatabase(t: Lifetime): Promise<DatabaseTarget> {
  return copyDatabase(t, 'template1')
}

async function copyDatabase(t: Lifetime, template: string): Promise<DatabaseTarget> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const nodesOfCopy = template === 'template1' ? [databaseNodes[0]] : databaseNodes
  // Citus has a process in each database, and a database that is in use can't be copied.
  if (isCluster) await onNodes(nodesOfCopy, endConnections(template))
  // Copies files instead of writing every page to the log, for half the processor time.
  await onNodes(
    nodesOfCopy,
    `create database ${name} owner wheelhouse template ${template} strategy file_copy`,
  )
  defer(t, () => {
    // The drop waits for a checkpoint, for about a second. The test need not.
    const dropped = dropOnNodes(nodesOfCopy, name)
    dropped.catch((error: unknown) => console.error(`${name} was not dropped: ${String(error)}`))
  })
  return { ...databaseNodes[0], user: 'wheelhouse', password: undefined, database: name }
}

function endConnections(database: string): string {
  return `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}'`
}

/** The same as a `DATABASE_URL`, for a server in a separate process. */
export function databaseUrl(target: DatabaseTarget): string {
  return `postgresql://${target.user}@${encodeURIComponent(target.host)}:${target.port}/${target.database}`
}

export function openTestDatabase(
  t: Lifetime,
  target: DatabaseTarget,
  options: Partial<DatabaseOptions> = {},
): Database {
  const db = new Database({
    targets: [target],
    poolMax: 10,
    pooler: false,
    // Long, for busy machines; tests about timeouts set their own.
    statementTimeoutMs: 30_000,
    lockTimeoutMs: 15_000,
    idleInTransactionTimeoutMs: 60_000,
    applicationName: 'wheelhouse-test',
    onConnectionError: () => undefined,
    ...options,
  })
  defer(t, () => db.close())
  return db
}

export type DatabaseProxy = {
  target: DatabaseTarget
  isSilent: boolean
  cutsAfterCommit: boolean
  /** Whether the next connection gets "ready" and "shutdown" in the same packet. */
  endsWhenReady: boolean
  /** The number of times a client waited for a response of the database. */
  roundTrips: number
  cut: () => void
}

const ready = Buffer.from('Z\0\0\0\x05I')
const shutdown = Buffer.from('E\0\0\0\x1cSFATAL\0C57P01\0Mit ends\0\0')
/** A column name in the response to a single-statement grant, which arrives once that statement is committed. */
const ofGrantAtOnce = 'balances\0'

/**
 * A proxy to the database with the failures of a network. A connection that was silenced stays silent, as after a power
 * failure of the other machine, which sends no close.
 */
export async function makeDatabaseProxy(t: Lifetime, target: DatabaseTarget): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  const silent = new Set<Socket>()
  const server = createServer((near) => {
    let isWaiting = false
    const far = connect(join(target.host, `.s.PGSQL.${target.port}`))
    for (const [socket, partner] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => partner.destroy())
      socket.on('data', (data: Buffer) => {
        if (databaseProxy.isSilent) silent.add(near)
        if (silent.has(near)) return
        if (socket === far && isWaiting) databaseProxy.roundTrips++
        isWaiting = socket === near
        const isCommitted = data.includes('COMMIT') || data.includes(ofGrantAtOnce)
        if (databaseProxy.cutsAfterCommit && socket === far && isCommitted) {
          databaseProxy.cutsAfterCommit = false
          near.destroy()
        } else if (databaseProxy.endsWhenReady && socket === far && data.includes(ready)) {
          databaseProxy.endsWhenReady = false
          near.end(Buffer.concat([data, shutdown]))
        } else partner.write(data)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const databaseProxy: DatabaseProxy = {
    target: { ...target, host: '127.0.0.1', port },
    isSilent: false,
    cutsAfterCommit: false,
    endsWhenReady: false,
    roundTrips: 0,
    cut: () => sockets.forEach((socket) => socket.destroy()),
  }
  defer(t, async () => {
    databaseProxy.cut()
    server.close()
    await once(server, 'close')
  })
  return databaseProxy
}

/** A database with our schema in the tests' own cluster. */
const migrated = process.env.TEST_DATABASE_TEMPLATE

/** A database with our schema and a signing key. */
export async function makeDatabase(t: Lifetime): Promise<{ target: DatabaseTarget; db: Database }> {
  const target = await copyDatabase(t, migrated ?? 'template1')
  const db = openTestDatabase(t, target)
  if (migrated === undefined) await migrate(db)
  await rotateSigningKeys(db, 'links', new Date())
  await rotateSigningKeys(db, 'seeds', new Date())
  return { target, db }
}

export type Server = { url: string; ctx: Context; app: FastifyInstance; target: DatabaseTarget }

/** A server in this process, on its own port. `now` replaces the clock. */
export async function makeServer(
  t: Lifetime,
  options: {
    env?: Record<string, string>
    now?: () => Date
    /** Any free port, unless the settings name one. */
    port?: number
    database?: { target: DatabaseTarget; db: Database }
  } = {},
): Promise<Server> {
  const { target, db } = options.database ?? (await makeDatabase(t))
  const config: Config = parseConfig({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_SECOND: '100000', ...options.env })
  const log = makeLog(config.logLevel)
  const ctx = makeContext({
    config,
    db,
    log,
    tracing: await startTracing(config.traces, log),
    now: options.now ?? (() => new Date()),
  })
  const app = await buildApp(ctx)
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  ctx.start()
  defer(t, async () => {
    await app.close()
    await ctx.close()
  })
  return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, ctx, app, target }
}

/** A merchant with a live token. */
export async function makeMerchant(
  db: Database,
  options: {
    settings?: Partial<MerchantSettings>
    scopes?: Scope[]
    expiresAt?: Date
    /** The token is bound to a campaign `summer`, which has the wheel `main`. */
    isBound?: boolean
  } = {},
): Promise<{ merchant: Merchant; token: string }> {
  const slug = `m-${randomBytes(4).toString('hex')}`
  let merchant = await createMerchant(db, { slug, name: slug, now: new Date() })
  if (options.settings !== undefined)
    merchant = await setSettings(db, slug, { ...merchant, ...options.settings })
  const campaign = options.isBound === true ? await makeCampaign(db, merchant) : undefined
  const order = {
    name: 'test',
    scopes:
      options.scopes ??
      (campaign === undefined ? (['spins', 'links', 'manage'] as const) : (['spins', 'links'] as const)),
    expiresAt: options.expiresAt ?? null,
    campaign,
    now: new Date(),
  }
  const token = await db.transaction((tx) => issueToken(tx, merchant, order))
  return { merchant, token }
}

async function makeCampaign(db: Database, { merchantId }: Merchant): Promise<string> {
  const actor = { kind: 'command' as const, id: 'test', name: null }
  const settings = { name: 'Summer', wheel: 'main', priority: 0, opensAt: null, closesAt: null, texts: {} }
  const none = { purse: undefined, spinLifetimeDays: null, freeSpins: null }
  const order = { merchantId, slug: 'summer', ...none, ...settings }
  const { slug } = await createCampaign(db, order, { actor, requestId: null, now: new Date() })
  return slug
}

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

/** Sends JSON and reads JSON. `body` may be any value, or text to send unchanged. */
export async function post(
  url: string,
  token: string | undefined,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: token }),
      ...headers,
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

/** A folder that is removed when the test ends. */
export function makeFolder(t: Lifetime): string {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-'))
  // Readable for the user that PostgreSQL runs as if we are root; otherwise the data would not be in the folder.
  chmodSync(folder, 0o711)
  defer(t, () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * A port that is free, and that nobody else gets until this process ends: it lies below those that systems give to
 * outgoing connections, and is claimed for other tests by a UDP socket of the same number.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const claim = createSocket('udp4')
    const server = createServer()
    try {
      await once(claim.bind({ port, address: '127.0.0.1', exclusive: true }), 'listening')
      await once(server.listen(port), 'listening')
      claim.unref()
      return port
    } catch (error) {
      claim.close()
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    } finally {
      if (server.listening) await once(server.close(), 'close')
    }
  }
}

export type ServerProcess = { url: string; child: ChildProcess; output: () => string; stopped: Promise<void> }

/** `wheelhouse serve` as a separate process, once it is ready. Killed at the end of the test if it still runs. */
export async function spawnServer(
  t: Lifetime,
  env: Record<string, string>,
  program = main,
): Promise<ServerProcess> {
  const port = await freePort()
  const child = spawn(node, [patience, program, 'serve'], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      METRICS_ADDRESS: 'off',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_SECOND: '100000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const stopped = once(child, 'exit').then(() => undefined)
  defer(t, async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await stopped
  })
  const url = env.PUBLIC_URL ?? `http://127.0.0.1:${port}`
  const server = { url, child, output: () => output, stopped }
  await untilOutput(server, 'Wheelhouse is ready')
  return server
}

/** Runs a command of the command line. */
export async function runCli(
  args: string[],
  env: Record<string, string>,
  cwd = tmpdir(),
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(node, [patience, main, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

/** Waits for a line in the server's output. Fails if the server has exited. */
export async function untilOutput(server: ServerProcess, text: string): Promise<void> {
  const hasStopped = () => server.child.exitCode !== null || server.child.signalCode !== null
  await until(() => server.output().includes(text) || hasStopped())
  if (!server.output().includes(text))
    throw new Error(`the server did not print "${text}":\n${server.output()}`)
}

/** The time after which a test gives up. Only a failure takes so long, so it is enough for the slowest machine. */
export const waitMsMax = 180_000

/** Waits for a condition. Checks less and less often, since a check may slow down the work it waits for. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  timeoutMs: number = waitMsMax,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (let pauseMs = 20; !(await isSo()); pauseMs = Math.min(pauseMs * 1.2, 250)) {
    if (performance.now() > deadline)
      throw new Error(`waited ${timeoutMs} ms without success for ${isSo.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/**
 * Waits until a figure of this process stays the same for many turns of its event loop. On a slow machine turns take
 * longer too.
 */
export async function untilSteady(figure: () => unknown): Promise<void> {
  let last = figure()
  for (let turnsAlike = 0; turnsAlike < 100; turnsAlike++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (figure() === last) continue
    last = figure()
    turnsAlike = 0
  }
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
