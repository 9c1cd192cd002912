import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { grantMany, grantOne } from '../src/grants/grant-at-once.ts'

/** The fault that a proxy applies to its connections. */
export type NetworkFault =
  | 'none'
  /** All data is silently dropped. */
  | 'silent'
  /** The database receives everything, but its answers are dropped. */
  | 'one-way'
  /** Connections are refused. */
  | 'closed'
  /** The connection is cut after a commit was forwarded, before its answer. */
  | 'cut-after-commit'
  /** Everything before a commit is forwarded and answered, then the connection is cut. */
  | 'cut-before-commit'

const commitMessage = Buffer.from('Q\0\0\0\x0bcommit\0')
/** Ends a statement that is a transaction of its own, and commits it. */
const syncMessage = Buffer.from('S\0\0\0\x04')

/** A TCP proxy between a server and the database that can simulate network faults. */
export class NetworkProxy {
  fault: NetworkFault = 'none'
  delayMs = 0
  /** The share of commits at which the two cut faults cut the connection. */
  cutShare = 0.2
  cuts = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #portOf: () => number

  static async open(portOf: () => number): Promise<NetworkProxy> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new NetworkProxy(server, portOf)
  }

  private constructor(server: Server, portOf: () => number) {
    this.#server = server
    this.#portOf = portOf
    server.on('connection', (client) => this.#accept(client))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  #accept(client: Socket): void {
    if (this.fault === 'closed') {
      client.resetAndDestroy()
      return
    }
    const upstream = connect(this.#portOf(), '127.0.0.1')
    const connection = {
      client,
      upstream,
      toUpstream: new DelayedStream(upstream),
      toClient: new DelayedStream(client),
    }
    for (const [socket, partner] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        this.#sockets.delete(socket)
        partner.destroy()
      })
      socket.on('data', (data: Buffer) => this.#forward(data, connection, socket === client))
    }
  }

  #forward(
    data: Buffer,
    { client, upstream, toUpstream, toClient }: Connection,
    isFromClient: boolean,
  ): void {
    if (this.fault === 'silent' || (this.fault === 'one-way' && !isFromClient)) return
    const isCutting = this.fault === 'cut-after-commit' || this.fault === 'cut-before-commit'
    const commit = isFromClient && isCutting ? commitIn(data) : undefined
    if (commit !== undefined && Math.random() < this.cutShare) {
      this.cuts++
      const isAfter = this.fault === 'cut-after-commit'
      upstream.write(data.subarray(0, isAfter ? commit.end : commit.start))
      // The bytes must be sent before the connection ends. Before the commit, the other answers also need time to
      // arrive.
      setTimeout(
        () => {
          client.resetAndDestroy()
          upstream.end()
        },
        isAfter ? 0 : 50,
      )
      client.removeAllListeners('data').resume()
      if (isAfter) upstream.removeAllListeners('data').resume()
      return
    }
    void (isFromClient ? toUpstream : toClient).send(data, this.delayMs)
  }

  /** Closes or resets all connections. */
  cut(how: 'end' | 'reset'): void {
    for (const socket of this.#sockets) {
      if (how === 'reset') socket.resetAndDestroy()
      else socket.destroy()
    }
  }

  repair(): void {
    const wasLossy = this.fault === 'silent' || this.fault === 'one-way'
    this.fault = 'none'
    this.delayMs = 0
    // A connection that has lost bytes can't be used any more.
    if (wasLossy) this.cut('reset')
  }

  async close(): Promise<void> {
    this.cut('end')
    this.#server.close()
    await once(this.#server, 'close')
  }
}

type Connection = { client: Socket; upstream: Socket; toUpstream: DelayedStream; toClient: DelayedStream }

/** The position of a commit in a packet from a server, if it contains one. */
function commitIn(data: Buffer): { start: number; end: number } | undefined {
  const isGrant = data.includes(grantOne.name) || data.includes(grantMany.name)
  const isAlone = isGrant && data.subarray(-syncMessage.length).equals(syncMessage)
  const start = isAlone ? data.length - syncMessage.length : data.indexOf(commitMessage)
  return start === -1 ? undefined : { start, end: start + (isAlone ? syncMessage : commitMessage).length }
}

/** One direction of a connection. It keeps the order of the data when the delay changes, as TCP does. */
class DelayedStream {
  readonly #to: Socket
  readonly #waiting: { data: Buffer; dueAt: number }[] = []

  constructor(to: Socket) {
    this.#to = to
  }

  async send(data: Buffer, delayMs: number): Promise<void> {
    this.#waiting.push({ data, dueAt: performance.now() + delayMs })
    if (this.#waiting.length > 1) return
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const waitMs = first.dueAt - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      if (this.#to.writable) this.#to.write(first.data)
      this.#waiting.shift()
    }
  }
}
