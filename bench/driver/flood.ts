import { connect, type Socket } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { processMicros } from '../scene/server-process.ts'
import { answerWaitMaxMs, type Latency, summary } from './closed-loop.ts'

/**
 * Requests at a steady rate, however fast they are answered. A refused request is sent again, in place of a new one:
 * after `Retry-After` if `retries` is `obeying`, as soon as possible if it is `ignoring`.
 */
export type FloodTurn = {
  port: number
  connections: number
  seconds: number
  rate: number
  retries: 'obeying' | 'ignoring'
  /** The server's process. */
  pid: number
  /** Complete requests, each with a key of its own and the number of spins that it grants. */
  requests: readonly string[]
  spins: readonly number[]
}

export type FloodResult = {
  /** Requests that were due and that were sent: the others had no free connection, or this process was too slow. */
  due: number
  sent: number
  /** Within the turn; answers that took longer than a client would wait don't count. */
  answers: number
  refusals: number
  refusalLatency: Latency
  answerLatency: Latency
  /** Including answers after the turn. */
  grants: number
  spins: number
  /** Processor time of the server, from the first request to the last answer. Connecting is not in it. */
  serverMicros: number
  /** This process's own processor time for each request sent, in microseconds. */
  driverMicros: number
}

/** Does as little as possible for each request: it has to send several times as many as the server can handle. */
export async function flood(turn: FloodTurn): Promise<FloodResult> {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>()
  const refusalLatency = createHistogram()
  const answerLatency = createHistogram()
  const result = { due: 0, sent: 0, answers: 0, refusals: 0, grants: 0, spins: 0 }
  const free: Client[] = []
  const clients: Client[] = []
  /** Refused requests, in the order in which they may be sent again. */
  const again: { request: number; at: number }[] = []
  let nextAgain = 0
  let fresh = 0
  let startedAt = 0
  let endsAt = Infinity

  function take(client: Client, status: number): void {
    const now = performance.now()
    const nanos = Math.max(1, Math.round((now - client.sentAt) * 1e6))
    const isInTime = now < endsAt
    if (status === 200) {
      result.grants++
      result.spins += turn.spins[client.request] as number
      if (isInTime && now - client.sentAt <= patienceMs) result.answers++
      answerLatency.record(nanos)
    } else if (status === 503) {
      if (isInTime) result.refusals++
      refusalLatency.record(nanos)
      again.push({ request: client.request, at: turn.retries === 'obeying' ? now + retryAfterMs : now })
    } else reject(new Error(`answered ${status}`))
    free.push(client)
    if (!isInTime && free.length === clients.length) resolve()
  }

  function sendDue(now: number): void {
    const due = Math.floor(((now - startedAt) / 1000) * turn.rate)
    // What could not be sent in time is left out: the server would get it as a burst.
    const count = Math.min(due - result.due, free.length)
    result.due = due
    for (let left = count; left > 0; left--) {
      const request = nextRequest(now)
      if (request === undefined) return reject(new Error('the prepared requests were not enough'))
      result.sent++
      send(free.pop() as Client, request, turn.requests[request] as string)
    }
  }

  function nextRequest(now: number): number | undefined {
    const first = again[nextAgain]
    if (first === undefined || first.at > now) return fresh < turn.requests.length ? fresh++ : undefined
    nextAgain++
    return first.request
  }

  for (let slot = 0; slot < turn.connections; slot++) clients.push(await openClient(turn.port, take, reject))
  free.push(...clients)
  const cpuBefore = process.cpuUsage()
  const serverBefore = processMicros(turn.pid) ?? Number.NaN
  startedAt = performance.now()
  endsAt = startedAt + turn.seconds * 1000
  const clock = setInterval(() => {
    const now = performance.now()
    if (now < endsAt) sendDue(now)
    else if (free.length === clients.length) resolve()
  }, 1)
  const tooLate = () => reject(new Error('answers never arrived'))
  const watchdog = setTimeout(tooLate, turn.seconds * 1000 + answerWaitMaxMs)
  try {
    await over
  } finally {
    clearInterval(clock)
    clearTimeout(watchdog)
    for (const { socket } of clients) socket.destroy()
  }
  const cpu = process.cpuUsage(cpuBefore)
  return {
    ...result,
    refusalLatency: summary(refusalLatency),
    answerLatency: summary(answerLatency),
    serverMicros: (processMicros(turn.pid) ?? Number.NaN) - serverBefore,
    driverMicros: (cpu.user + cpu.system) / Math.max(1, result.sent),
  }
}

/** The server's `Retry-After` is one second. */
const retryAfterMs = 1_000

/** An answer that takes longer is of no use to its client. */
const patienceMs = 1_000

/** A connection with at most one request in flight. */
type Client = { socket: Socket; request: number; sentAt: number }

function send(client: Client, request: number, text: string): void {
  client.request = request
  client.sentAt = performance.now()
  client.socket.write(text, 'latin1')
}

async function openClient(
  port: number,
  onAnswer: (client: Client, status: number) => void,
  onLoss: (error: Error) => void,
): Promise<Client> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let status = 0
  const onread = {
    buffer: readBuffer,
    callback: (length: number) => {
      if (status === 0) status = Number(readBuffer.toString('latin1', 9, 12))
      // Every body is a JSON object, so an answer is complete at its last brace.
      if (readBuffer[length - 1] !== closingBrace) return true
      const complete = status
      status = 0
      onAnswer(client, complete)
      return true
    },
  }
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
  const client: Client = { socket, request: 0, sentAt: 0 }
  socket.once('connect', resolve)
  socket.on('error', (error) => {
    reject(error)
    onLoss(error)
  })
  await promise
  return client
}

const closingBrace = '}'.charCodeAt(0)
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)
