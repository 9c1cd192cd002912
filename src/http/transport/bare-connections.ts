import { STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { headersTimeoutMs, keepAliveTimeoutMs, readAheadBytesMax, wholeRequestMs } from '../../limits.ts'
import { type CommonReader, type CommonRequest, hasSpareSpaces } from './common-request.ts'
import { lingeringClose } from './lingering-close.ts'

/** `headers` are names and values in turn. */
export type BareAnswer = { status: number; headers: readonly string[]; text: string; isLast: boolean }

type Caller = { address: string; answer: (answer: BareAnswer) => void }

type Options = {
  /** In every answer. */
  headers: Record<string, string>
  read: CommonReader
  /** Whether it takes the request; it then answers once. */
  serve: (request: CommonRequest, from: Caller) => boolean | Promise<boolean>
}

/**
 * Answers common requests on the bare connection. To make a request and a response of it, with their streams, takes Node
 * longer than all else that a grant takes. The first thing on a connection that is not common hands the connection to Node
 * for good, with every byte that was not answered.
 */
export function serveBareConnections(server: Server, options: Options): void {
  const open = new Set<BareConnection>()
  const toNode = server.listeners('connection') as ((socket: Socket) => void)[]
  const fixed = Object.entries(options.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const door: Door = {
    ...options,
    fixed: fixed.join(''),
    forget: (connection) => open.delete(connection),
    handOver: (socket) => {
      // Node's server closes a connection with it after the last answer.
      socket.destroySoon = () => lingeringClose(socket)
      for (const listener of toNode) listener.call(server, socket)
    },
    refuse: (socket, code) => server.emit('clientError', Object.assign(new Error(code), { code }), socket),
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!socket.destroyed) open.add(new BareConnection(socket, door))
  })
  // Who closes the server's connections means these too: Node itself, the framework, and the end of a stop's patience.
  const closeIdle = server.closeIdleConnections.bind(server)
  const closeAll = server.closeAllConnections.bind(server)
  server.closeIdleConnections = () => {
    for (const connection of open) connection.closeIfIdle()
    closeIdle()
  }
  server.closeAllConnections = () => {
    for (const connection of open) connection.close()
    closeAll()
  }
}

type Door = Options & {
  fixed: string
  forget: (connection: BareConnection) => void
  handOver: (socket: Socket) => void
  refuse: (socket: Socket, code: string) => void
}

class BareConnection implements Caller {
  readonly #socket: Socket
  readonly #door: Door
  /** What came and was not answered yet. */
  #bytes: Buffer | undefined
  #isServing = false
  #hasServed = false
  #hasEnded = false
  /** Until the server wants to stop. */
  #mayStay = true
  /** How many bytes a request must have, by what came of it so far. */
  #lengthAwaited = 0
  #patience: NodeJS.Timeout | undefined

  constructor(socket: Socket, door: Door) {
    this.#socket = socket
    this.#door = door
    socket.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose).on('error', onError)
    socket.on('timeout', this.#onTimeout).setTimeout(headersTimeoutMs)
  }

  closeIfIdle(): void {
    this.#mayStay = false
    if (!this.#isServing && this.#bytes === undefined) this.close()
  }

  close(): void {
    this.#socket.destroy()
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#bytes = this.#bytes === undefined ? chunk : Buffer.concat([this.#bytes, chunk])
    if (!this.#isServing) this.#serveNext(this.#bytes)
    if (this.#bytes !== undefined && this.#bytes.length > readAheadBytesMax) this.#socket.pause()
  }

  #serveNext(bytes: Buffer): void {
    if (bytes.length < this.#lengthAwaited && !this.#hasEnded) return
    const request = this.#door.read(bytes)
    if (request === 'odd' && hasSpareSpaces(bytes)) this.#door.refuse(this.#socket, 'HPE_INVALID_URL')
    else if (request === 'odd') this.#handOver()
    else if ('lengthMin' in request) this.#await(request.lengthMin)
    else this.#serve(request, bytes)
  }

  /** Bytes that come one by one are not looked at one by one. */
  #await(lengthMin: number): void {
    this.#lengthAwaited = lengthMin
    if (this.#hasEnded) this.#door.refuse(this.#socket, 'HPE_INVALID_EOF_STATE')
    else this.#patience ??= setTimeout(this.#handOver, wholeRequestMs)
  }

  #serve(request: CommonRequest, bytes: Buffer): void {
    clearTimeout(this.#patience)
    this.#patience = undefined
    this.#lengthAwaited = 0
    this.#isServing = true
    this.#bytes = bytes.length > request.length ? bytes.subarray(request.length) : undefined
    const giveBack = (isTaken: boolean) => {
      if (isTaken || this.#socket.destroyed) return
      const after = this.#bytes === undefined ? [] : [this.#bytes]
      this.#bytes = Buffer.concat([bytes.subarray(0, request.length), ...after])
      this.#handOver()
    }
    const isTaken = this.#door.serve(request, this)
    if (typeof isTaken === 'boolean') giveBack(isTaken)
    else void isTaken.then(giveBack)
  }

  get address(): string {
    return this.#socket.remoteAddress ?? ''
  }

  readonly answer = ({ status, headers, text, isLast }: BareAnswer): void => {
    const socket = this.#socket
    if (socket.destroyed) return
    const closes = isLast || this.#isOver()
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${this.#door.fixed}`
    for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`
    const wasTaken = socket.write(`${head}date: ${dateNow()}\r\n${closes ? closing : keeping}\r\n${text}`)
    if (closes) {
      lingeringClose(socket)
      return
    }
    if (!this.#hasServed) {
      this.#hasServed = true
      socket.setTimeout(keepAliveTimeoutMs + 1_000)
    }
    // Who does not read is not served any more.
    if (!wasTaken) socket.once('drain', this.#goOn)
    else if (this.#bytes === undefined) this.#isServing = false
    else setImmediate(this.#goOn)
  }

  /** Whether nothing more is to come. */
  #isOver(): boolean {
    return this.#bytes === undefined && (this.#hasEnded || !this.#mayStay)
  }

  readonly #goOn = (): void => {
    const socket = this.#socket
    if (socket.destroyed) return
    this.#isServing = false
    if (this.#isOver()) lingeringClose(socket)
    // Far below the bound at which it was paused: each piece that comes is copied to what is there.
    if (socket.isPaused() && (this.#bytes?.length ?? 0) < readAheadBytesMax / 2) socket.resume()
    if (this.#bytes !== undefined) this.#serveNext(this.#bytes)
  }

  readonly #handOver = (): void => {
    const socket = this.#socket
    const bytes = this.#bytes
    this.#bytes = undefined
    this.#onClose()
    socket.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose).off('error', onError)
    socket.off('timeout', this.#onTimeout).setTimeout(0)
    if (this.#hasEnded) {
      // The end was told already, and to an ended stream nothing can be given back; so Node is told both again.
      this.#door.handOver(socket)
      socket.emit('data', bytes)
      socket.emit('end')
      return
    }
    socket.pause()
    socket.unshift(bytes)
    this.#door.handOver(socket)
    socket.resume()
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true
    if (this.#isServing) return
    if (this.#bytes === undefined) this.#socket.end()
    else this.#serveNext(this.#bytes)
  }

  readonly #onTimeout = (): void => {
    // What is under way has a deadline of its own.
    if (this.#isServing && this.#socket.writableLength === 0) return
    if (this.#hasServed) this.#socket.destroy()
    else this.#door.refuse(this.#socket, 'ERR_HTTP_REQUEST_TIMEOUT')
  }

  readonly #onClose = (): void => {
    clearTimeout(this.#patience)
    this.#door.forget(this)
  }
}

const closing = 'connection: close\r\n'
const keeping = `connection: keep-alive\r\nkeep-alive: timeout=${keepAliveTimeoutMs / 1000}\r\n`

/** Who went away needs no answer. */
function onError(this: Socket): void {
  this.destroy()
}

let dateSecond = 0
let date = ''

/** Many answers are of the same second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    date = new Date(second * 1000).toUTCString()
  }
  return date
}
