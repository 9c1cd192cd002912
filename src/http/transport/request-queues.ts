import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isClosing, lingeringClose } from './lingering-close.ts'

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Carries out the requests of a connection one after another. Node's parser reports every request that it finds in what
 * came, also those behind one whose answer will close the connection. A client may send those again (RFC 9112, section
 * 9.6), so they must not have been carried out.
 */
export class RequestQueues {
  readonly #queues = new WeakMap<Socket, Queue>()

  /** Calls `serve` when it is the request's turn. */
  inTurn(serve: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request
      if (isClosing(socket)) return
      const queue = this.#queues.get(socket) ?? this.#open(socket)
      const start = () => {
        queue.latest = { request, response }
        response.once('close', () => this.#goOn(socket, queue))
        serve(request, response)
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

  /** Answers bytes that are no request, after the answers to the requests before them. The connection is then over. */
  refuse(socket: Socket, answer: () => void): void {
    const queue = this.#queues.get(socket)
    if (queue?.latest === undefined) return answer()
    const { request, response } = queue.latest
    // The bytes belong to the body of a request that got its answer, or is getting it.
    if (!request.complete && response.headersSent) return lingeringClose(socket)
    if (!request.complete || !queue.isBusy) return answer()
    if (queue.waiting.at(-1)?.request?.complete === false) queue.waiting.pop()
    queue.waiting.push({ request: undefined, start: answer })
  }

  #open(socket: Socket): Queue {
    const queue: Queue = { latest: undefined, isBusy: false, waiting: [] }
    this.#queues.set(socket, queue)
    // Whatever reads a body resumes its socket.
    socket.on('resume', () => void (queue.waiting.length > 0 && socket.pause()))
    return queue
  }

  #goOn(socket: Socket, queue: Queue): void {
    if (socket.destroyed || isClosing(socket)) queue.waiting = []
    const next = queue.waiting.shift()
    queue.isBusy = next !== undefined
    if (queue.waiting.length === 0 && socket.isPaused()) socket.resume()
    next?.start()
  }
}

type Queue = {
  /** The request that is being carried out, or was last. */
  latest: { request: IncomingMessage; response: ServerResponse } | undefined
  isBusy: boolean
  waiting: { request: IncomingMessage | undefined; start: () => void }[]
}
