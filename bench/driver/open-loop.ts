import { createHistogram } from 'node:perf_hooks'
import type { Work } from '../work/work.ts'
import { answerWaitMaxMs, type Latency, summary } from './closed-loop.ts'
import { type Answer, Connection } from './connection.ts'

/** Requests at a steady rate, regardless of how fast they are answered. */
export type OpenTurn = { port: number; connections: number; seconds: number; rate: number }

export type OpenResult = {
  /** Counts of requests: due, sent (a connection was free), answered successfully, and refused. */
  due: number
  sent: number
  answers: number
  refusals: number
  seconds: number
  /** Measured from the time at which a request was due, so that waiting for a connection counts too. */
  latency: Latency
  /** Measured from sending to an answer, and to a refusal. */
  sentLatency: Latency
  refusalLatency: Latency
}

/**
 * Requests are due at a steady rate, and each is sent on the next free connection. The timer fires every millisecond,
 * so a request may be sent that much late; this counts against the server, for all contestants alike.
 */
export async function openLoop(work: Work, turn: OpenTurn): Promise<OpenResult> {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>()
  const latency = createHistogram()
  const sentLatency = createHistogram()
  const refusalLatency = createHistogram()
  const connections: Connection[] = []
  const free: number[] = []
  const dueAt = new Float64Array(turn.connections)
  const sentAt = new Float64Array(turn.connections)
  const gapMs = 1000 / turn.rate
  const result = { due: 0, sent: 0, answers: 0, refusals: 0 }
  let startedAt = 0
  let endsAt = 0

  work.begin(turn.connections)
  for (let slot = 0; slot < turn.connections; slot++) {
    connections[slot] = await Connection.open(turn.port, {
      onLoss: (reason) => reject(new Error(`an answer was lost: ${reason}`)),
      onAnswer: (answer) => {
        try {
          take(slot, answer)
        } catch (error) {
          reject(error)
        }
      },
    })
    free.push(slot)
  }

  function take(slot: number, answer: Answer): void {
    const now = performance.now()
    const nanos = (since: number) => Math.max(1, Math.round((now - since) * 1e6))
    if (isRefusal(answer)) {
      work.refused(slot)
      if (now < endsAt) result.refusals++
      refusalLatency.record(nanos(sentAt[slot] as number))
    } else {
      work.take(slot, answer)
      if (now < endsAt) result.answers++
      latency.record(nanos(dueAt[slot] as number))
      sentLatency.record(nanos(sentAt[slot] as number))
    }
    free.push(slot)
    if (now < endsAt) sendDue(now)
    else if (free.length === turn.connections) resolve()
  }

  /** Sends due requests while there are free connections. The others wait for the next free one. */
  function sendDue(now: number): void {
    while (free.length > 0 && startedAt + result.sent * gapMs <= now) {
      const slot = free.shift() as number
      dueAt[slot] = startedAt + result.sent * gapMs
      sentAt[slot] = performance.now()
      result.sent++
      ;(connections[slot] as Connection).send(work.next(slot))
    }
  }

  startedAt = performance.now()
  endsAt = startedAt + turn.seconds * 1000
  const clock = setInterval(() => {
    const now = performance.now()
    if (now < endsAt) sendDue(now)
    else if (free.length === turn.connections) resolve()
  }, 1)
  const tooLate = () => reject(new Error('answers never arrived'))
  const watchdog = setTimeout(tooLate, turn.seconds * 1000 + answerWaitMaxMs)
  try {
    await over
  } finally {
    clearInterval(clock)
    clearTimeout(watchdog)
    for (const connection of connections) connection.close()
  }
  result.due = Math.floor(turn.rate * turn.seconds)
  return {
    ...result,
    seconds: turn.seconds,
    latency: summary(latency),
    sentLatency: summary(sentLatency),
    refusalLatency: summary(refusalLatency),
  }
}

/** Only refusals which say that nothing was done and that the request can be repeated. */
function isRefusal({ status, head, body }: Answer): boolean {
  return status === 503 && body.includes('"overloaded"') && /\r\nretry-after: /i.test(head)
}
