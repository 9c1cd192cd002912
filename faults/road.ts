import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { grantMany, grantOne } from '../src/grants/grant-at-once.ts'

/** What a road does to those who use it. */
export type Weather =
  | 'fine'
  /** Nothing comes through, and nobody says so. */
  | 'silent'
  /** The database hears everything, and is not heard. */
  | 'one-way'
  /** Connections are refused. */
  | 'closed'
  /** The connection ends when a commit has been handed on, before its answer. */
  | 'cut-after-commit'
  /** What stands before a commit is handed on and answered; the commit is not. */
  | 'cut-before-commit'

const commitMessage = Buffer.from('Q\0\0\0\x0bcommit\0')
/** What ends the message of a statement that is its own transaction, and commits it. */
const syncMessage = Buffer.from('S\0\0\0\x04')

/** A way from a server to the database that can go wrong like a network. */
export class Road {
  weather: Weather = 'fine'
  delayMs = 0
  /** Of all commits, the share that is cut in such weather. */
  cutShare = 0.2
  cuts = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #portOf: () => number

  static async open(portOf: () => number): Promise<Road> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Road(server, portOf)
  }

  private constructor(server: Server, portOf: () => number) {
    this.#server = server
    this.#portOf = portOf
    server.on('connection', (near) => this.#join(near))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  #join(near: Socket): void {
    if (this.weather === 'closed') {
      near.resetAndDestroy()
      return
    }
    const far = connect(this.#portOf(), '127.0.0.1')
    const lanes = { near, far, there: new Lane(far), back: new Lane(near) }
    for (const [socket, partner] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        this.#sockets.delete(socket)
        partner.destroy()
      })
      socket.on('data', (data: Buffer) => this.#pass(data, lanes, socket === near))
    }
  }

  #pass(
    data: Buffer,
    { near, far, there, back }: { near: Socket; far: Socket; there: Lane; back: Lane },
    isAsking: boolean,
  ): void {
    if (this.weather === 'silent' || (this.weather === 'one-way' && !isAsking)) return
    const isCutting = this.weather === 'cut-after-commit' || this.weather === 'cut-before-commit'
    const commit = isAsking && isCutting ? commitIn(data) : undefined
    if (commit !== undefined && Math.random() < this.cutShare) {
      this.cuts++
      const isAfter = this.weather === 'cut-after-commit'
      far.write(data.subarray(0, isAfter ? commit.end : commit.start))
      // The bytes must be out before the connection is; before the commit, the other answers have their time.
      setTimeout(
        () => {
          near.resetAndDestroy()
          far.end()
        },
        isAfter ? 0 : 50,
      )
      near.removeAllListeners('data').resume()
      if (isAfter) far.removeAllListeners('data').resume()
      return
    }
    void (isAsking ? there : back).hand(data, this.delayMs)
  }

  /** Ends all connections, with a word or with none. */
  cut(how: 'end' | 'reset'): void {
    for (const socket of this.#sockets) {
      if (how === 'reset') socket.resetAndDestroy()
      else socket.destroy()
    }
  }

  mend(): void {
    const wasLossy = this.weather === 'silent' || this.weather === 'one-way'
    this.weather = 'fine'
    this.delayMs = 0
    // What lost bytes on the way can't go on.
    if (wasLossy) this.cut('reset')
  }

  async close(): Promise<void> {
    this.cut('end')
    this.#server.close()
    await once(this.#server, 'close')
  }
}

function commitIn(data: Buffer): { start: number; end: number } | undefined {
  const isGrant = data.includes(grantOne.name) || data.includes(grantMany.name)
  const isAlone = isGrant && data.subarray(-syncMessage.length).equals(syncMessage)
  const start = isAlone ? data.length - syncMessage.length : data.indexOf(commitMessage)
  return start === -1 ? undefined : { start, end: start + (isAlone ? syncMessage : commitMessage).length }
}

/** One direction of a connection. However its delay changes, what came first goes on first, as in any network. */
class Lane {
  readonly #to: Socket
  readonly #waiting: { data: Buffer; dueAt: number }[] = []

  constructor(to: Socket) {
    this.#to = to
  }

  async hand(data: Buffer, delayMs: number): Promise<void> {
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
