// A webhook receiver in a process of its own. It accepts everything, keeps every id, and reports on request.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Report = {
  requests: number
  distinct: number
  /** Events whose first delivery came after a later event of the same player. */
  outOfOrder: number
  firstAt: number
  lastAt: number
  /** How long after it happened each event arrived. */
  latenciesMs: number[]
  /** Idempotency keys that arrived under more than one event id. */
  secondIds: number
  keys: string[]
}

type Body = {
  id: string
  seq: number
  type: string
  at: string
  data: { playerId?: string; idempotencyKey?: string | null }
}

const isHanging = process.argv.includes('--hang')
const wantsLatencies = process.argv.includes('--latencies')
const delayMs = Number(/^--delay=(\d+)$/m.exec(process.argv.join('\n'))?.[1] ?? 0)
const seen = new Set<string>()
const idOfKey = new Map<string, string>()
const lastSeqOf = new Map<string, number>()
const report: Report = {
  requests: 0,
  distinct: 0,
  outOfOrder: 0,
  firstAt: 0,
  lastAt: 0,
  latenciesMs: [],
  secondIds: 0,
  keys: [],
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    report.requests++
    if (isHanging) return
    take(JSON.parse(Buffer.concat(chunks).toString()) as Body)
    if (delayMs === 0) response.end()
    else setTimeout(() => response.end(), delayMs)
  })
})

function take({ id, seq, type, at, data }: Body): void {
  report.lastAt = Date.now()
  if (report.firstAt === 0) report.firstAt = report.lastAt
  if (seen.has(id)) return
  seen.add(id)
  report.distinct++
  if (wantsLatencies) report.latenciesMs.push(report.lastAt - Date.parse(at))
  const player = data.playerId ?? ''
  if (seq < (lastSeqOf.get(player) ?? 0)) report.outOfOrder++
  lastSeqOf.set(player, seq)
  const key = type === 'spins.granted' ? data.idempotencyKey : null
  if (typeof key !== 'string') return
  if (idOfKey.has(key)) report.secondIds++
  idOfKey.set(key, id)
}

process.on('message', (wanted: 'report' | 'keys') =>
  process.send?.({ ...report, keys: wanted === 'keys' ? [...idOfKey.keys()] : [] }),
)
process.on('disconnect', () => process.exit(0))
server.keepAliveTimeout = 30_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
