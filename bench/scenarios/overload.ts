import type { Contestant, RunningContestant, ScenarioSetup } from '../contestants/contestant.ts'
import { addMerchant, wheelhouse } from '../contestants/wheelhouse.ts'
import { Driver } from '../driver/driver.ts'
import type { FloodResult, FloodTurn } from '../driver/flood.ts'
import type { OpenResult } from '../driver/open-loop.ts'
import { answerRate, printTable, showRatio, spreadOf } from '../report.ts'
import { profilerOf, takeTurn, warmUp } from '../rounds.ts'
import { allCores, type Cores, pin, splitCores } from '../scene/cores.ts'
import { grantRequest } from '../work/grants.ts'
import { emptyTally, makeRandom, type Tally } from '../work/work.ts'
import type { Bench, Scenario } from './scenario.ts'
import { grantsSpec } from './throughput.ts'

const times = 4
/** So many connections that the server's queue is always full. */
const connections = 2_000
const quietRate = 50
const ways = ['obeying', 'ignoring'] as const

type Round = {
  retries: FloodTurn['retries']
  peak: number
  seconds: number
  floods: FloodResult[]
  quiet: OpenResult
  /** Processor time of the server for each answer at the peak. */
  peakMicros: number
}

/**
 * Goodput at four times the maximum load, and how quickly the other requests are refused: by clients that wait for
 * Retry-After, and by clients that repeat at once. A quiet merchant must not notice.
 */
export const overload: Scenario = {
  name: 'overload',
  title: 'Grants at four times the maximum load',
  seconds: (bench) => (4 * bench.roundsAt(64) + 3) * (bench.seconds + 1),
  async run(bench: Bench) {
    for (const one of bench.before) await measure(bench, one, 'before_overload')
    const rounds = await measure(bench, wheelhouse, 'overload')
    bench.figures.set('goodput', spreadOf(rounds.map(goodput)))
    bench.figures.set('refusal p99', spreadOf(rounds.map(refusalP99)))
    bench.figures.set('quiet refusals', spreadOf(rounds.map((round) => round.quiet.refusals)))
  },
}

async function measure(bench: Bench, contestant: Contestant, database: string): Promise<Round[]> {
  const setup = { scenario: 'overload', prizes: [], ...bench }
  const running = await contestant.start(setup)
  const cores = splitCores()
  const [loud, quiet] = [Driver.start(), Driver.start()]
  const drivers = Array.from({ length: cores?.driver.length ?? 1 }, () => Driver.start())
  keepApart(cores, { servers: [running.pid, bench.postgres.pid], drivers: [loud, quiet, ...drivers] })
  const [loudId, quietId] = ['overload/loud', 'overload/quiet']
  try {
    const { port, token } = running
    const spec = { ...grantsSpec(bench)(running, 0), players: Math.ceil(bench.players / 2) }
    await loud.prepare(loudId, port, spec)
    const quietToken = await addMerchant({ ...setup, scenario: database }, 'quiet')
    await quiet.prepare(quietId, port, { ...spec, token: quietToken, players: 1_000 })
    await warmUp(loud, { running, workId: loudId }, { connections: [256], seconds: bench.seconds })
    const makeRequests = requestMaker(bench, token)
    const rounds: Round[] = []
    for (let round = 1; round <= bench.roundsAt(64); round++)
      for (const retries of ways) {
        const peak = await takeTurn(
          loud,
          { running, workId: loudId },
          { connections: 256, seconds: bench.seconds },
        )
        rounds.push(
          await floodOnce(bench, { setup, running, drivers, quiet, quietId, retries, makeRequests, peak }),
        )
      }
    const flooded = rounds.flatMap(({ floods }) =>
      floods.map((one) => ({ ...emptyTally, ...acknowledged(one) })),
    )
    await running.check(sumOf(...flooded, await loud.tally(loudId), await quiet.tally(quietId)))
    for (const retries of ways)
      print(
        `${running.name}, clients ${retries} Retry-After`,
        rounds.filter((round) => round.retries === retries),
      )
    return rounds
  } finally {
    for (const driver of [loud, quiet, ...drivers]) driver.stop()
    if (cores !== undefined) pin(bench.postgres.pid, allCores())
    await running.stop()
  }
}

/**
 * The driver must not take processor time from the server: it has to send four times as many requests as at the peak.
 * Both the peak and the flood are measured like this.
 */
function keepApart(
  cores: Cores | undefined,
  { servers, drivers }: { servers: readonly number[]; drivers: readonly Driver[] },
): void {
  if (cores === undefined)
    return console.log(
      'The driver shares the cores of the server: goodput is lower than the server alone allows.',
    )
  for (const pid of servers) pin(pid, cores.server)
  for (const driver of drivers) pin(driver.pid, cores.driver)
}

type FloodScene = {
  setup: ScenarioSetup
  running: RunningContestant
  drivers: readonly Driver[]
  quiet: Driver
  quietId: string
  retries: FloodTurn['retries']
  makeRequests: ReturnType<typeof requestMaker>
  peak: Awaited<ReturnType<typeof takeTurn>>
}

async function floodOnce({ seconds }: Bench, scene: FloodScene): Promise<Round> {
  const { setup, running, drivers, quiet, quietId, retries, makeRequests } = scene
  const { port, pid } = running
  const peak = answerRate(scene.peak)
  const rate = (times * peak) / drivers.length
  const each = Math.ceil(connections / drivers.length)
  const turn = { port, pid, seconds, connections: each, rate, retries }
  const turns = drivers.map((driver) => ({ driver, turn: { ...turn, ...makeRequests(rate * seconds) } }))
  const profiler = await profilerOf(setup, running)
  const [own, ...floods] = await Promise.all([
    quiet.openLoop(quietId, { port, seconds, connections: 16, rate: quietRate }),
    ...turns.map((one) => one.driver.flood(one.turn)),
  ])
  await profiler?.stop(
    `overload-${retries}`,
    floods.reduce((sum, one) => sum + one.sent, 0),
  )
  const peakMicros = scene.peak.cost.server ?? Number.NaN
  return { retries, peak, seconds, floods, quiet: own, peakMicros }
}

function acknowledged({ grants, spins }: FloodResult): Pick<Tally, 'grants' | 'spins'> {
  return { grants, spins }
}

/** Makes requests with new keys, for the half of the players that the other driver leaves alone. */
function requestMaker(bench: Bench, token: string) {
  const random = makeRandom(bench.seed + 7)
  const half = Math.floor(bench.players / 2)
  let keys = 0
  return (count: number) => {
    const asked = Array.from({ length: Math.ceil(count) + 100 }, () => ({
      player: half + random(half),
      amount: 1 + random(9),
      key: `flood-${bench.seed}-${(1e8 + keys++).toString()}`,
    }))
    return {
      requests: asked.map((ask) => grantRequest(token, ask)),
      spins: asked.map(({ amount }) => amount),
    }
  }
}

function sumOf(...tallies: readonly Tally[]): Tally {
  const keys = Object.keys(emptyTally) as (keyof Tally)[]
  const sum = (key: keyof Tally) => tallies.reduce((all, one) => all + one[key], 0)
  return Object.fromEntries(keys.map((key) => [key, sum(key)])) as Tally
}

function total({ floods }: Round, field: 'due' | 'sent' | 'answers' | 'refusals'): number {
  return floods.reduce((sum, flood) => sum + flood[field], 0)
}

function goodput(round: Round): number {
  return total(round, 'answers') / round.seconds / round.peak
}

function refusalP99({ floods }: Round): number {
  return Math.max(...floods.map(({ refusals, refusalLatency }) => (refusals === 0 ? 0 : refusalLatency.p99)))
}

/** The server's processor time for a refusal, if an answer costs as much as at the peak. */
function refusalMicros(round: Round): number {
  const answered = total(round, 'answers') + round.quiet.answers
  const { serverMicros } = round.floods[0] as FloodResult
  return (serverMicros - answered * round.peakMicros) / Math.max(1, total(round, 'refusals'))
}

function print(title: string, rounds: readonly Round[]): void {
  const of = (figure: (round: Round) => number) => showRatio(spreadOf(rounds.map(figure)))
  console.log(`\n${overload.title}: ${title}`)
  printTable(
    ['', 'median (least–most)'],
    [
      ['the peak, answers per second', of(({ peak }) => peak)],
      ['due, against the peak', of((round) => total(round, 'due') / round.seconds / round.peak)],
      ['sent, against the peak', of((round) => total(round, 'sent') / round.seconds / round.peak)],
      ['goodput, against the peak', of(goodput)],
      ['refusals, p50 ms', of(({ floods }) => Math.max(...floods.map((flood) => flood.refusalLatency.p50)))],
      ['refusals, p99 ms', of(refusalP99)],
      ['answers, p99 ms', of(({ floods }) => Math.max(...floods.map((flood) => flood.answerLatency.p99)))],
      ['µs of the server for a refusal', of(refusalMicros)],
      ['µs of the driver for a request', of(({ floods }) => (floods[0] as FloodResult).driverMicros)],
      ["a quiet merchant's refusals", of(({ quiet }) => quiet.refusals)],
      ["a quiet merchant's p99 ms", of(({ quiet }) => quiet.sentLatency.p99)],
    ],
  )
}
