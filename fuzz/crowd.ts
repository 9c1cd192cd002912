// `npm run crowd`: measures how a crowd of bad clients (idle sockets, slow senders, oversized headers, garbage) affects
// normal clients. It starts a server with its own PostgreSQL, and prints the latency of clients that grant spins with
// and without each crowd. The crowd runs in another process and from another address, so that it slows down the server
// but not the measurement.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { EmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts'

const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '5' },
    crowd: { type: 'string' },
    port: { type: 'string' },
  },
})
let connected = 0

const crowds: Record<string, { size: number; join: (port: number) => void }> = {
  'idle sockets': { size: Number(values.sockets), join: (port) => open(port) },
  'slow senders': { size: 1_000, join: sendSlowly },
  'senders of oversized headers': { size: 50, join: sendOversizedHeaders },
  'senders of garbage': { size: 50, join: sendGarbage },
}

if (values.crowd === undefined) await measureAll()
else await joinCrowd(values.crowd, Number(values.port))

async function measureAll(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-crowd-'))
  chmodSync(dataDir, 0o711)
  const database = await EmbeddedPostgres.start({ dataDir, sharingAllowed: false, onTrouble: console.error })
  process.env.TEST_DATABASE_HOST = database.target.host
  const ends: (() => unknown)[] = []
  const lifetime = { after: (end: () => unknown) => void ends.push(end) }
  try {
    const { databaseUrl, makeDatabase, makeMerchant, spawnServer } = await import('../test/scenes/scene.ts')
    const { target, db } = await makeDatabase(lifetime)
    const { token } = await makeMerchant(db)
    const server = await spawnServer(lifetime, { DATABASE_URL: databaseUrl(target) })
    const measure = () => measureClients(server.url, token, Number(values.seconds))
    await measure()
    console.log(`${''.padEnd(40)}  p50 ms   p99 ms  p99 ratio`)
    for (const name of Object.keys(crowds)) {
      // Measured before and after, since the load of the machine may change.
      const before = await measure()
      const crowd = await startCrowd(name, new URL(server.url).port)
      const during = await measure()
      crowd.child.kill()
      await once(crowd.child, 'exit')
      await sleep(1_000)
      const after = await measure()
      const baseline = { p50: (before.p50 + after.p50) / 2, p99: (before.p99 + after.p99) / 2 }
      print('no crowd, before and after', baseline)
      print(`${crowd.count} ${name}`, during, during.p99 / baseline.p99)
    }
  } finally {
    for (const end of ends.toReversed()) await end()
    await database.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  process.exit()
}

/** Starts a crowd in a process of its own, and waits until it is connected. */
async function startCrowd(name: string, port: string): Promise<{ child: ChildProcess; count: number }> {
  const args = [import.meta.filename, '--crowd', name, '--port', port, '--sockets', values.sockets]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [count] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return { child, count: Number(count) }
}

/** Disconnected sockets reconnect. A crowd that is cut off at once never becomes complete, so the wait is limited. */
async function joinCrowd(name: string, port: number): Promise<void> {
  const crowd = crowds[name]
  if (crowd === undefined) throw new Error(`there is no crowd named ${name}`)
  for (let index = 0; index < crowd.size; index++) {
    crowd.join(port)
    if (index % 100 === 99) await sleep(20)
  }
  for (let waits = 0; connected < crowd.size && waits < 20; waits++) await sleep(250)
  console.log(String(crowd.size))
}

type Latency = { p50: number; p99: number }

function print(name: string, { p50, p99 }: Latency, ratio?: number): void {
  const figures = [p50.toFixed(1), p99.toFixed(1), ratio?.toFixed(2) ?? '']
  console.log(`${name.padEnd(40)} ${figures.map((figure) => figure.padStart(8)).join('')}`)
}

/** The latency of sixteen clients that grant spins, one request at a time, every tenth on a new connection. */
async function measureClients(url: string, token: string, seconds: number): Promise<Latency> {
  const until = performance.now() + seconds * 1_000
  const latenciesMs: number[] = []
  const client = async () => {
    let agent = new Agent({ connections: 1 })
    for (let turn = 1; performance.now() < until; turn++) {
      const startedAt = performance.now()
      const answer = await request(`${url}/api/player/increaseSpin`, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          'content-type': 'application/json',
          authorization: token,
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify({ playerId: `p${turn % 100}`, spinNumber: 1 }),
      })
      await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`a normal client got ${answer.statusCode}`)
      latenciesMs.push(performance.now() - startedAt)
      if (turn % 10 === 0) {
        await agent.close()
        agent = new Agent({ connections: 1 })
      }
    }
    await agent.close()
  }
  await Promise.all(Array.from({ length: 16 }, client))
  latenciesMs.sort((one, other) => one - other)
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

function open(port: number, onOpen?: (socket: Socket) => void): void {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  socket.on('connect', () => {
    connected++
    onOpen?.(socket)
  })
  socket.on('error', () => socket.destroy()).resume()
  socket.on('close', () => {
    connected--
    setTimeout(() => open(port, onOpen), 500)
  })
}

function sendSlowly(port: number): void {
  const text = `POST /api/player/increaseSpin HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(500)}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{`
  open(port, (socket) => {
    let place = 0
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer)
      else socket.write(text[place++] ?? ' ')
    }, 1_000)
  })
}

function sendOversizedHeaders(port: number): void {
  const headers = `X-Bomb: ${'x'.repeat(1_000)}\r\n`.repeat(40)
  open(port, (socket) => socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`))
}

function sendGarbage(port: number): void {
  open(port, (socket) => socket.write(Buffer.alloc(2_000, '\x16\x03\x01garbage\r\n')))
}
