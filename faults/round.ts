import { setTimeout as sleep } from 'node:timers/promises'
import { Chance } from './chance.ts'
import { History } from './history.ts'
import type { Finding } from './evidence.ts'
import { judge } from './judge.ts'
import { Reader, Receiver } from './listeners.ts'
import { Load, type Shop } from './load.ts'
import { type Reading, readBack } from './read-back.ts'
import { mend, type Scene } from './scene.ts'
import { hotStock, openShop } from './shop.ts'

/** Something that goes wrong, and how. */
export type Fault = {
  name: string
  about: string
  /** Why it can't be done here. */
  whyNot?: () => string | undefined
  /** A scene of its own, where the common one does not serve. */
  scene?: () => Promise<Scene>
  /** Not among those that chance picks. */
  onlyByName?: boolean
  /** Goes on for about so long, and leaves nothing behind that `mend` does not mend. */
  seconds: number
  run: (stage: Stage) => Promise<void>
  /** Refusals that it explains. */
  allowedCodes?: readonly string[]
  wheelChanges?: boolean
  /** Whether webhooks may be left that are tried again later than anybody waits for, if they stand where one can see them. */
  mayWait?: boolean
  /** Whether transactions may wait for each other in a circle. */
  mayDeadlock?: boolean
  /** Promises of this fault's own, looked at when all is over. */
  judge?: (stage: Stage, history: History) => Finding[]
}

/** What a fault works with. */
export type Stage = {
  scene: Scene
  shop: Shop
  chance: Chance
  history: History
  /** Whether the time of the faults is over. */
  isOver: () => boolean
  /** Waits, but not beyond that time. */
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
  /** Why nobody knows. */
  trouble: string | undefined
}

export type RoundOptions = { seed: number; seconds?: number; strength?: number; log: (line: string) => void }

const readBackMsMax = 180_000

/** Load on a new merchant while the faults go on, then everything is mended, read back and judged. */
export async function runRound(
  scene: Scene,
  faults: readonly Fault[],
  options: RoundOptions,
): Promise<Verdict> {
  const { seed, log } = options
  const started = performance.now()
  const chance = new Chance(seed)
  const receiver = await Receiver.start(new Chance(seed + 1))
  const history = new History()
  const { postgres } = scene
  const logFrom = postgres.log().length
  const { shop, webhookId, webhookFrom } = await openShop(scene, receiver, chance)
  const reader = new Reader(shop, scene.urls)
  const load = new Load({
    shop,
    urls: scene.urls,
    chance: new Chance(seed + 2),
    history,
    strength: options.strength ?? 6,
  })
  await sleep(1_500)
  const faultsEnd =
    performance.now() + 1000 * (options.seconds ?? Math.max(5, ...faults.map((fault) => fault.seconds)))
  const stage: Stage = {
    scene,
    shop,
    chance,
    history,
    log,
    isOver: () => performance.now() >= faultsEnd,
    pause: (ms) => sleep(Math.max(0, Math.min(ms, faultsEnd - performance.now()))),
  }
  const mayWait = faults.some((fault) => fault.mayWait === true)
  let trouble: unknown
  let reading: Reading | undefined
  try {
    if (faults.length === 0) await stage.pause(Infinity)
    await Promise.all(faults.map((fault) => fault.run(stage)))
    await mend(scene)
    // Callers whose request is still open ask again, and servers pick up what was left.
    await sleep(2_500)
    await load.stop()
    const url = scene.servers.at(-1)?.url as string
    const source = { url, shop, webhookId, postgres: scene.postgres, databaseUrl: scene.postgres.url }
    reading = await readPatiently(() => readBack(source, receiver, mayWait ? 30_000 : readBackMsMax))
    if (!mayWait || reading.lag > 0) trouble = reading.undelivered
  } catch (error) {
    trouble = error
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
              ? 0
              : postgres.log().slice(logFrom).split('deadlock detected').length - 1,
            allowedCodes: faults.flatMap(({ allowedCodes }) => allowedCodes ?? []),
            wheelChanges: faults.some(({ wheelChanges }) => wheelChanges === true),
            stockAtFirst: { hot: hotStock },
          }),
          ...faults.flatMap((fault) => fault.judge?.(stage, history) ?? []),
        ]
  const count = (outcome: string) => history.calls.filter((call) => call.outcome === outcome).length
  return {
    verdict: findings.length > 0 ? 'failed' : trouble === undefined ? 'passed' : 'unknown',
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
    trouble: trouble instanceof Error ? trouble.stack : (trouble as string | undefined),
  }
}

/** Right after a fault a first question may still meet a dead connection. */
async function readPatiently(read: () => Promise<Reading>): Promise<Reading> {
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
