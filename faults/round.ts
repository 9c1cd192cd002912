import { setTimeout as sleep } from 'node:timers/promises'
import { SeededRandom } from './seeded-random.ts'
import { History } from './history.ts'
import type { Finding } from './evidence.ts'
import { judge } from './judge.ts'
import { Reader, Receiver } from './listeners.ts'
import { judgePaces } from './judge-paces.ts'
import { Load, type TestMerchant } from './load.ts'
import { pacedWheel } from './paced-wheel.ts'
import { type Reading, readBack } from './read-back.ts'
import { repair, type Scene } from './scene.ts'
import { hotStock, createTestMerchant } from './test-merchant.ts'

/** A fault that a round can inject. */
export type Fault = {
  name: string
  about: string
  /** The reason why this machine can't run it, or undefined. */
  skipReason?: () => string | undefined
  /** A scene of its own, if the common one does not suit. */
  scene?: () => Promise<Scene>
  /** Excluded from random rounds. */
  onlyByName?: boolean
  /** Its approximate duration. `repair` must be able to undo everything that it leaves behind. */
  seconds: number
  run: (ctx: FaultContext) => Promise<void>
  /** Refusals that are expected during this fault. */
  allowedCodes?: readonly string[]
  wheelChanges?: boolean
  /** Whether the wheel has paced prizes and a budget. */
  isPaced?: boolean
  /** How far the clock of a server is ahead of ours. */
  clockAheadMs?: number
  /** Whether some webhooks may still wait for a retry at the end, provided that the API lists them. */
  mayWait?: boolean
  /** Whether deadlocks are accepted. */
  mayDeadlock?: boolean
  /** Checks of this fault's own, made at the end. */
  judge?: (ctx: FaultContext, history: History) => Finding[] | Promise<Finding[]>
}

/** The round that a fault runs in. */
export type FaultContext = {
  scene: Scene
  merchant: TestMerchant
  random: SeededRandom
  history: History
  /** Whether the faults' time is over. */
  isOver: () => boolean
  /** Waits, but not beyond the faults' time. */
  pause: (ms: number) => Promise<void>
  log: (line: string) => void
}

export type Verdict = {
  verdict: 'passed' | 'failed' | 'unknown'
  faults: string
  seed: number
  seconds: number
  calls: number
  ok: number
  refused: number
  unknown: number
  entries: number
  plays: number
  events: number
  deliveries: number
  findings: Finding[]
  /** The reason for an unknown verdict. */
  problem: string | undefined
}

type RoundOptions = { seed: number; seconds?: number; strength?: number; log: (line: string) => void }

const readBackMsMax = 180_000

/** Puts load on a new merchant while the faults run, then repairs everything, reads it back and judges it. */
export async function runRound(
  scene: Scene,
  faults: readonly Fault[],
  options: RoundOptions,
): Promise<Verdict> {
  const { seed, log } = options
  const started = performance.now()
  const random = new SeededRandom(seed)
  const receiver = await Receiver.start(new SeededRandom(seed + 1))
  const history = new History()
  const { postgres } = scene
  const isPaced = faults.some((fault) => fault.isPaced === true)
  const logFrom = postgres.log().length
  const { merchant, webhookId, webhookFrom } = await createTestMerchant(
    scene,
    receiver,
    random,
    isPaced ? pacedWheel : undefined,
  )
  const reader = new Reader(merchant, scene.urls)
  const load = new Load({
    merchant,
    urls: scene.urls,
    random: new SeededRandom(seed + 2),
    history,
    strength: options.strength ?? 6,
  })
  await sleep(1_500)
  const faultsEnd =
    performance.now() + 1000 * (options.seconds ?? Math.max(5, ...faults.map((fault) => fault.seconds)))
  let hasFailed = false
  const ctx: FaultContext = {
    scene,
    merchant,
    random,
    history,
    log,
    isOver: () => hasFailed || performance.now() >= faultsEnd,
    pause: (ms) => sleep(Math.max(0, Math.min(ms, faultsEnd - performance.now()))),
  }
  const mayWait = faults.some((fault) => fault.mayWait === true)
  let problem: unknown
  let reading: Reading | undefined
  const findingsOfPaces: Finding[] = []
  try {
    if (faults.length === 0) await ctx.pause(Infinity)
    // Also if one fails: a fault that went on would start servers after the scene is removed, and nobody would stop
    // them.
    const runs = faults.map((fault) => fault.run(ctx))
    for (const run of runs) run.catch(() => (hasFailed = true))
    const failed = (await Promise.allSettled(runs)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    await repair(scene)
    // Clients retry requests that had no answer, and servers pick up work that was left.
    await sleep(2_500)
    await load.stop()
    const url = scene.servers.at(-1)?.url as string
    const source = { url, merchant, webhookId, postgres: scene.postgres, databaseUrl: scene.postgres.url }
    reading = await readWithRetries(() => readBack(source, receiver, mayWait ? 30_000 : readBackMsMax))
    if (!mayWait || reading.lag > 0) problem = reading.undelivered
    if (isPaced) {
      const clockAheadMs = Math.max(0, ...faults.map((fault) => fault.clockAheadMs ?? 0))
      const judged = await judgePaces({ ...source, calls: history.calls, clockAheadMs })
      findingsOfPaces.push(...judged.findings)
      log(judged.figures)
    }
  } catch (error) {
    problem = error
  }
  await load.stop()
  await reader.stop()
  await receiver.stop()
  await history.close()

  const findings =
    reading === undefined
      ? []
      : [
          ...judge({
            calls: history.calls,
            reading,
            receiver,
            followed: reader.events,
            webhookFrom,
            deadlocks: faults.some(({ mayDeadlock }) => mayDeadlock === true)
              ? []
              : deadlocksIn(postgres.log().slice(logFrom)),
            allowedCodes: faults.flatMap(({ allowedCodes }) => allowedCodes ?? []),
            wheelChanges: faults.some(({ wheelChanges }) => wheelChanges === true),
            stockAtFirst: { hot: hotStock },
          }),
          ...findingsOfPaces,
          ...(await Promise.all(faults.map(async (fault) => fault.judge?.(ctx, history) ?? []))).flat(),
        ]
  const count = (outcome: string) => history.calls.filter((call) => call.outcome === outcome).length
  return {
    verdict: findings.length > 0 ? 'failed' : problem === undefined ? 'passed' : 'unknown',
    faults: faults.map(({ name }) => name).join(' + ') || 'nothing',
    seed,
    seconds: Math.round((performance.now() - started) / 1000),
    calls: history.calls.length,
    ok: count('ok'),
    refused: count('refused'),
    unknown: count('unknown'),
    entries: reading?.entries.length ?? 0,
    plays: reading?.plays.length ?? 0,
    events: reading?.events.length ?? 0,
    deliveries: receiver.deliveries,
    findings,
    problem: problem instanceof Error ? problem.stack : (problem as string | undefined),
  }
}

/** Right after a fault, the first request may still use a dead connection. */
async function readWithRetries(read: () => Promise<Reading>): Promise<Reading> {
  const deadline = performance.now() + readBackMsMax
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(1_000)
    }
  }
}

/** PostgreSQL names the processes and their statements in the lines that follow. */
function deadlocksIn(log: string): string[] {
  const reports = log.split('deadlock detected').slice(1)
  return reports.map((report) => report.split('\n').slice(0, deadlockLines).join('\n'))
}

const deadlockLines = 60
