import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Receiver, readEvents, type ApiEvent } from './listeners.ts'
import type { TestMerchant } from './load.ts'
import type { ScenePostgres } from './postgres.ts'

export type Entry = {
  playerId: string
  entry: number
  kind: 'grant' | 'initial' | 'play' | 'prize' | 'correction' | 'expiry'
  amount: number
  balanceAfter: number
  key: string
}
export type ReadPlay = {
  playId: string
  playerId: string
  prizeId: string
  playNumber: number
  playedAt: string
  segment: number
  won: boolean
  fallbackReason: string | null
  prize: { kind: string; spins: number | null; code: string | null }
  proof: {
    serverSeed: string
    commitment: string
    playerSeed: string
    playNumber: number
    versionHash: string
    ticket: number
    weightTotal: number
    drawn: number
  }
}
type ReadPrize = { playId: string; prizeId: string; state: string; claimedAt: string | null }

/** Everything that the API shows at the end of a round. */
export type Reading = {
  players: { playerId: string; spinCount: number; playCount: number }[]
  entries: Entry[]
  plays: ReadPlay[]
  prizes: ReadPrize[]
  stocks: { prize: string; stock: number | null; given: number }[]
  pool: { uploaded: number; taken: number }
  /** The published texts, by hash. */
  versions: Map<string, string>
  events: ApiEvent[]
  /** Ids of events whose delivery waits for a retry or was given up. */
  unsent: Set<string>
  audit: { findings: { check: string; count: number; examples: unknown[] }[] }
  /** How many events the webhook is behind. */
  lag: number
  /** A message if not every webhook was sent in time. */
  undelivered: string | undefined
}

type Source = {
  url: string
  merchant: TestMerchant
  webhookId: string
  postgres: ScenePostgres
  databaseUrl: string
}

/** Reads everything through the API. Throws if that takes too long; the verdict is then unknown. */
export async function readBack(source: Source, receiver: Receiver, withinMs: number): Promise<Reading> {
  const deadline = performance.now() + withinMs
  receiver.isReliable = true
  await untilNumbered(source, deadline)
  const { lag, undelivered } = await untilDelivered(source, deadline)
  const plays = await exported<ReadPlay>(source, 'plays', '?to=2100-01-01T00:00:00Z')
  const hashes = [...new Set(plays.map(({ proof }) => proof.versionHash))]
  const texts = await Promise.all(hashes.map((hash) => readText(source, `/api/v1/game/versions/${hash}`)))
  const pool = await read<{ uploaded: number; taken: number }>(source, '/api/v1/code-pools/codes')
  const { stocks } = await read<Pick<Reading, 'stocks'>>(source, '/api/v1/wheels/main/versions')
  return {
    players: await exported(source, 'players'),
    entries: await exported(source, 'ledger'),
    plays,
    prizes: await exported(source, 'prizes', '?to=2100-01-01T00:00:00Z'),
    stocks,
    pool,
    versions: new Map(hashes.map((hash, place) => [hash, texts[place] as string])),
    events: await readAllEvents(source),
    unsent: new Set(
      [...(await deliveries(source, 'dead')), ...(await deliveries(source, 'waiting'))].map(
        ({ eventId }) => eventId,
      ),
    ),
    audit: await audit(source.databaseUrl),
    lag,
    undelivered,
  }
}

async function untilNumbered({ postgres, merchant }: Source, deadline: number): Promise<void> {
  for (;;) {
    const rows = await postgres.query(
      'select from event_pages where merchant_id = $1 and first_seq is null limit 1',
      [merchant.merchantId],
      'wheelhouse',
    )
    if (rows.length === 0) return
    await pauseUntil(deadline, 'the events to be numbered')
  }
}

/** Waits until every event was delivered or is a dead letter. Returns the remaining lag if time runs out. */
async function untilDelivered(
  source: Source,
  deadline: number,
): Promise<{ lag: number; undelivered: string | undefined }> {
  for (;;) {
    const { lag } = await read<{ lag: number }>(source, `/api/v1/webhooks/${source.webhookId}`)
    const waiting = await deliveries(source, 'waiting')
    if (lag === 0 && waiting.length === 0) return { lag, undelivered: undefined }
    const undelivered = `webhooks were not sent: ${lag} events behind, ${waiting.length} waiting for a retry`
    if (performance.now() > deadline) return { lag, undelivered }
    await sleep(250)
  }
}

async function pauseUntil(deadline: number, what: string): Promise<void> {
  if (performance.now() > deadline) throw new Error(`timed out waiting for ${what}`)
  await sleep(250)
}

async function deliveries(source: Source, state: 'waiting' | 'dead'): Promise<{ eventId: string }[]> {
  const path = `/api/v1/webhooks/${source.webhookId}/deliveries?state=${state}&limit=500`
  return (await read<{ deliveries: { eventId: string }[] }>(source, path)).deliveries
}

async function readAllEvents({ url, merchant }: Source): Promise<ApiEvent[]> {
  const events: ApiEvent[] = []
  for (let after = 0; ;) {
    const page = await readEvents(url, merchant, { after })
    events.push(...page.events)
    if (page.next >= page.last) return events
    after = page.next
  }
}

async function exported<Row>(source: Source, name: string, query = ''): Promise<Row[]> {
  const text = await readText(source, `/api/v1/exports/${name}${query}`)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
}

async function read<T>(source: Source, path: string): Promise<T> {
  return JSON.parse(await readText(source, path)) as T
}

async function readText({ url, merchant }: Source, path: string): Promise<string> {
  const answer = await fetch(`${url}${path}`, {
    headers: { authorization: merchant.token },
    signal: AbortSignal.timeout(120_000),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return text
}

/** Runs `wheelhouse audit`. */
async function audit(databaseUrl: string): Promise<Reading['audit']> {
  const main = join(import.meta.dirname, '..', 'src', 'main.ts')
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'audit', '--json'], {
    env,
    cwd: '/',
    timeout: 180_000,
  }).catch((error: { stdout?: string; code?: unknown }) => {
    // The exit code is 2 if there are findings.
    if (error.code !== 2) throw error
    return { stdout: error.stdout ?? '' }
  })
  return JSON.parse(stdout) as Reading['audit']
}
