import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isClosing, lingeringClose } from './lingering-close.ts'
import type { LoopTurns } from './loop-turns.ts'

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Handles the requests of a connection one after another. Node's parser reports all pipelined requests at once,
 * including those after a request whose answer closes the connection. The client may send those again (RFC 9112,
 * section 9.6), so they must not be carried out.
 */
export class RequestQueues {
  readonly #queues = new WeakMap<Socket, Queue>()
  readonly #turns: LoopTurns

  constructor(turns: LoopTurns) {
    this.#turns = turns
  }

  /** Wraps `serve`: each request waits until the ones before it are answered. */
  inOrder(serve: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request
      if (isClosing(socket)) return
      const queue = this.#queues.get(socket) ?? this.#open(socket)
      const start = () => {
        queue.latest = { request, response }
        response.once('close', () => this.#startNext(socket, queue))
        const caller = request.headers.authorization ?? ''
        this.#turns.run(caller, () => void (socket.destroyed || serve(request, response)))
      }
      if (queue.isBusy) {
        queue.waiting.push({ request, start })
        socket.pause()
      } else {
        queue.isBusy = true
        start()
      }
    }
  }

  /** Answers bytes that are not a request, after the requests before them. `answer` closes the connection. */
  refuse(socket: Socket, answer: () => void): void {
    const queue = this.#queues.get(socket)
    if (queue?.latest === undefined) return answer()
    const { request, response } = queue.latest
    // The bytes belong to the body of a request that is already answered, at least in part.
    if (!request.complete && response.headersSent) return lingeringClose(socket)
    if (!request.complete || !queue.isBusy) return answer()
    if (queue.waiting.at(-1)?.request?.complete === false) queue.waiting.pop()
    queue.waiting.push({ request: undefined, start: answer })
  }

  #open(socket: Socket): Queue {
    const queue: Queue = { latest: undefined, isBusy: false, waiting: [] }
    this.#queues.set(socket, queue)
    // Reading a body resumes the socket.
    socket.on('resume', () => void (queue.waiting.length > 0 && socket.pause()))
    return queue
  }

  #startNext(socket: Socket, queue: Queue): void {
    if (socket.destroyed || isClosing(socket)) queue.waiting = []
    const next = queue.waiting.shift()
    queue.isBusy = next !== undefined
    if (queue.waiting.length === 0 && socket.isPaused()) socket.resume()
    next?.start()
  }
}

type Queue = {
  /** The request in flight, or the last one answered. */
  latest: { request: IncomingMessage; response: ServerResponse } | undefined
  isBusy: boolean
  waiting: { request: IncomingMessage | undefined; start: () => void }[]
}
