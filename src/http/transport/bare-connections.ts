import { STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { headersTimeoutMs, keepAliveTimeoutMs, readAheadBytesMax, wholeRequestMs } from '../../limits.ts'
import type { CommonReader, CommonRequest } from './common-request.ts'
import { lingeringClose } from './lingering-close.ts'
import type { LoopTurns } from './loop-turns.ts'
import { followRequestLines } from './request-lines.ts'

/** `headers` alternates names and values. `isLast` closes the connection after this answer. */
export type BareAnswer = { status: number; headers: readonly string[]; text: string; isLast: boolean }

/** What is known of the sender: its address, and the id of the last token that was valid. */
type Client = { readonly address: string; caller: string }

type Options = {
  /** Sent with every answer. */
  headers: Record<string, string>
  read: CommonReader
  turns: LoopTurns
  /** Returns undefined for a request that Node must handle. */
  handle: (
    request: CommonRequest,
    connection: Client,
  ) => BareAnswer | undefined | Promise<BareAnswer | undefined>
}

/**
 * Answers common requests on the bare connection. Node's request and response objects, with their streams, take longer
 * than the rest of a grant. The first uncommon request on a connection hands the connection to Node for good, with
 * every byte that was not answered.
 */
export function serveBareConnections(server: Server, options: Options): void {
  const open = new Set<BareConnection>()
  const toNode = server.listeners('connection') as ((socket: Socket) => void)[]
  const fixedHeaders = Object.entries(options.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const bareServer: BareServer = {
    ...options,
    fixedHeaders: fixedHeaders.join(''),
    forget: (connection) => open.delete(connection),
    handOver: (socket) => {
      // Node's server calls this to close a connection after the last answer.
      socket.destroySoon = () => lingeringClose(socket)
      for (const listener of toNode) listener.call(server, socket)
      followRequestLines(socket)
    },
    refuse: (socket, code) => server.emit('clientError', Object.assign(new Error(code), { code }), socket),
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!socket.destroyed) open.add(new BareConnection(socket, bareServer))
  })
  // Node, the framework and our own stop close the server's connections with these two; they must reach ours too.
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

/** What all connections of a server share. */
type BareServer = Options & {
  fixedHeaders: string
  forget: (connection: BareConnection) => void
  handOver: (socket: Socket) => void
  refuse: (socket: Socket, code: string) => void
}

class BareConnection {
  readonly #socket: Socket
  readonly #server: BareServer
  /** Received, and not yet handled. */
  #bytes: Buffer | undefined
  #isHandling = false
  #hasAnswered = false
  #isHandedOver = false
  /** The client has closed its side. */
  #hasEnded = false
  /** False once the server stops. */
  #mayKeepAlive = true
  /** The least length of the incomplete request at the start of `#bytes`. */
  #bytesNeeded = 0
  #requestTimer: NodeJS.Timeout | undefined
  readonly #facts: Client

  constructor(socket: Socket, server: BareServer) {
    this.#socket = socket
    this.#server = server
    this.#facts = { address: socket.remoteAddress ?? '', caller: '' }
    socket.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose).on('error', onError)
    socket.on('timeout', this.#onTimeout).setTimeout(headersTimeoutMs)
  }

  closeIfIdle(): void {
    this.#mayKeepAlive = false
    if (!this.#isHandling && this.#bytes === undefined) this.close()
  }

  close(): void {
    this.#socket.destroy()
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#bytes = this.#bytes === undefined ? chunk : Buffer.concat([this.#bytes, chunk])
    if (!this.#isHandling) {
      this.#isHandling = true
      this.#server.turns.run(this.#facts.caller, this.#continue)
    }
    if (this.#bytes !== undefined && this.#bytes.length > readAheadBytesMax) this.#socket.pause()
  }

  #handleNext(bytes: Buffer): void {
    if (bytes.length < this.#bytesNeeded && !this.#hasEnded) return
    const request = this.#server.read(bytes)
    if (request === 'uncommon') this.#handOver()
    else if ('lengthMin' in request) this.#waitForMore(request.lengthMin)
    else this.#handle(request, bytes)
  }

  /** A request that arrives byte by byte is not parsed again at every byte. */
  #waitForMore(lengthMin: number): void {
    this.#bytesNeeded = lengthMin
    if (this.#hasEnded) this.#server.refuse(this.#socket, 'HPE_INVALID_EOF_STATE')
    else this.#requestTimer ??= setTimeout(this.#handOver, wholeRequestMs)
  }

  #handle(request: CommonRequest, bytes: Buffer): void {
    clearTimeout(this.#requestTimer)
    this.#requestTimer = undefined
    this.#bytesNeeded = 0
    this.#isHandling = true
    this.#bytes = bytes.length > request.length ? bytes.subarray(request.length) : undefined
    const finish = (answer: BareAnswer | undefined) => {
      if (this.#socket.destroyed) return
      if (answer !== undefined) return this.#answer(answer)
      const after = this.#bytes === undefined ? [] : [this.#bytes]
      this.#bytes = Buffer.concat([bytes.subarray(0, request.length), ...after])
      this.#handOver()
    }
    const answer = this.#server.handle(request, this.#facts)
    if (answer instanceof Promise) void answer.then(finish)
    else finish(answer)
  }

  #answer({ status, headers, text, isLast }: BareAnswer): void {
    const socket = this.#socket
    const closes = isLast || this.#isOver()
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${this.#server.fixedHeaders}`
    for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`
    const isFlushed = socket.write(
      `${head}date: ${dateNow()}\r\n${closes ? closeHeaders : keepAliveHeaders}\r\n${text}`,
    )
    if (closes) {
      lingeringClose(socket)
      return
    }
    if (!this.#hasAnswered) {
      this.#hasAnswered = true
      socket.setTimeout(keepAliveTimeoutMs + 1_000)
    }
    // A client that does not read its answers gets no more of them.
    if (!isFlushed) socket.once('drain', this.#continue)
    else if (this.#bytes === undefined) this.#isHandling = false
    else this.#server.turns.defer(this.#facts.caller, this.#continue)
  }

  /** Whether no further request will be handled. */
  #isOver(): boolean {
    return this.#bytes === undefined && (this.#hasEnded || !this.#mayKeepAlive)
  }

  readonly #continue = (): void => {
    const socket = this.#socket
    if (socket.destroyed || this.#isHandedOver) return
    this.#isHandling = false
    if (this.#isOver()) lingeringClose(socket)
    // Far below the limit at which it was paused, because each chunk that arrives copies all waiting bytes.
    if (socket.isPaused() && (this.#bytes?.length ?? 0) < readAheadBytesMax / 2) socket.resume()
    if (this.#bytes !== undefined) this.#handleNext(this.#bytes)
  }

  readonly #handOver = (): void => {
    const socket = this.#socket
    const bytes = this.#bytes
    this.#bytes = undefined
    this.#isHandedOver = true
    this.#onClose()
    socket.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose).off('error', onError)
    socket.off('timeout', this.#onTimeout).setTimeout(0)
    if (this.#hasEnded) {
      // Nothing can be unshifted to a stream that has ended, so both events are emitted again for Node.
      this.#server.handOver(socket)
      socket.emit('data', bytes)
      socket.emit('end')
      return
    }
    socket.pause()
    socket.unshift(bytes)
    this.#server.handOver(socket)
    socket.resume()
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true
    if (this.#isHandling) return
    if (this.#bytes === undefined) this.#socket.end()
    else this.#handleNext(this.#bytes)
  }

  readonly #onTimeout = (): void => {
    // A request in flight has its own deadline.
    if (this.#isHandling && this.#socket.writableLength === 0) return
    if (this.#hasAnswered) this.#socket.destroy()
    else this.#server.refuse(this.#socket, 'ERR_HTTP_REQUEST_TIMEOUT')
  }

  readonly #onClose = (): void => {
    clearTimeout(this.#requestTimer)
    this.#server.forget(this)
  }
}

const closeHeaders = 'connection: close\r\n'
const keepAliveHeaders = `connection: keep-alive\r\nkeep-alive: timeout=${keepAliveTimeoutMs / 1000}\r\n`

/** The client is gone and needs no answer. */
function onError(this: Socket): void {
  this.destroy()
}

let dateSecond = 0
let date = ''

/** Formatted once a second; many answers share it. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    date = new Date(second * 1000).toUTCString()
  }
  return date
}
