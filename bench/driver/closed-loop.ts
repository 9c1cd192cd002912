import { createHistogram } from 'node:perf_hooks'
import type { Work } from '../work/work.ts'
import { Connection } from './connection.ts'

export type Turn = { port: number; connections: number; seconds: number }

/** The result of a turn. Latencies are in milliseconds. */
export type TurnResult = {
  /** The number of correct answers in the turn, and its length until the last of them. */
  answers: number
  seconds: number
  latency: Latency
  /** The driver's own processor time per answer, in microseconds. */
  driverMicros: number
}

/** An answer that comes later than this after the end of a turn counts as lost. */
export const answerWaitMaxMs = 30_000

export type Latency = { p50: number; p95: number; p99: number; max: number }

/**
 * Each connection sends its next request when it has the answer to the previous one. Ends when all answers have
 * arrived, so that every acknowledged or lost answer is noticed. Late answers are checked, but don't count towards the
 * rate.
 */
export async function closedLoop(work: Work, turn: Turn): Promise<TurnResult> {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>()
  const latency = createHistogram()
  const sentAt = new Float64Array(turn.connections)
  const connections: Connection[] = []
  let inFlight = 0
  let answers = 0
  let endsAt = Infinity
  let lastAnswerAt = 0

  function send(slot: number): void {
    inFlight++
    const request = work.next(slot)
    sentAt[slot] = performance.now()
    ;(connections[slot] as Connection).send(request)
  }

  work.begin(turn.connections)
  for (let slot = 0; slot < turn.connections; slot++) {
    connections[slot] = await Connection.open(turn.port, {
      onLoss: (reason) => reject(new Error(`an answer was lost: ${reason}`)),
      onAnswer: (answer) => {
        const now = performance.now()
        inFlight--
        try {
          work.take(slot, answer)
        } catch (error) {
          reject(error)
          return
        }
        if (now < endsAt) {
          answers++
          lastAnswerAt = now
          latency.record(Math.max(1, Math.round((now - (sentAt[slot] as number)) * 1e6)))
          send(slot)
        } else if (inFlight === 0) resolve()
      },
    })
  }
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  endsAt = startedAt + turn.seconds * 1000
  const watchdog = setTimeout(
    () => reject(new Error(`${inFlight} answers never arrived`)),
    turn.seconds * 1000 + answerWaitMaxMs,
  )
  try {
    for (let slot = 0; slot < turn.connections; slot++) send(slot)
    await over
  } finally {
    clearTimeout(watchdog)
    for (const connection of connections) connection.close()
  }
  const cpu = process.cpuUsage(cpuBefore)
  return {
    answers,
    seconds: (lastAnswerAt - startedAt) / 1000,
    latency: summary(latency),
    driverMicros: (cpu.user + cpu.system) / Math.max(1, answers),
  }
}

export function summary(histogram: { percentile: (at: number) => number; max: number }): Latency {
  const at = (percent: number): number => histogram.percentile(percent) / 1e6
  return { p50: at(50), p95: at(95), p99: at(99), max: histogram.max / 1e6 }
}
