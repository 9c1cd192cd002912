import { connect, type Socket } from 'node:net'

/** An HTTP response. The bench sends and receives only ASCII, so one byte is one character. */
export type Answer = { status: number; head: string; body: string }

/**
 * A keep-alive HTTP/1.1 connection with at most one request in flight. It uses the socket directly, because the driver
 * shares two cores with the servers that it measures: this takes a third of the processor time of an HTTP library.
 */
export class Connection {
  readonly #socket: Socket
  readonly #onAnswer: (answer: Answer) => void
  readonly #onLoss: (reason: string) => void
  #received = ''
  #isWaiting = false

  static async open(
    port: number,
    events: { onAnswer: (answer: Answer) => void; onLoss: (reason: string) => void },
  ): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const connection = new Connection(port, events)
    connection.#socket.once('connect', resolve)
    connection.#socket.once('error', reject)
    await promise
    return connection
  }

  private constructor(
    port: number,
    { onAnswer, onLoss }: { onAnswer: (answer: Answer) => void; onLoss: (reason: string) => void },
  ) {
    this.#onAnswer = onAnswer
    this.#onLoss = onLoss
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      // One buffer for all connections: the data is copied out before the next read.
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          this.#read(length)
          return true
        },
      },
    })
    this.#socket.on('error', (error) => this.#lose(error.message))
    this.#socket.on('close', () => this.#lose('the server closed the connection'))
  }

  send(request: string): void {
    this.#isWaiting = true
    this.#socket.write(request, 'latin1')
  }

  close(): void {
    this.#isWaiting = false
    this.#socket.destroy()
  }

  #lose(reason: string): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    this.#onLoss(reason)
  }

  #read(length: number): void {
    const text = readBuffer.toString('latin1', 0, length)
    this.#received = this.#received === '' ? text : this.#received + text
    const answer = takeAnswer(this.#received)
    if (answer === undefined) return
    this.#received = ''
    if (!this.#isWaiting) return
    this.#isWaiting = false
    this.#onAnswer(answer)
  }
}

const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)

/** The answer in `text`, or undefined while it is incomplete. */
function takeAnswer(text: string): Answer | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const bodyStart = headEnd + 4
  if (text.length < bodyStart + bodyLength(text, headEnd)) return undefined
  return {
    status: Number(text.slice(9, 12)),
    head: text.slice(0, bodyStart),
    body: text.slice(bodyStart),
  }
}

/** Fastify writes header names in lower case, node:http capitalised. */
function bodyLength(text: string, headEnd: number): number {
  let at = text.indexOf('ontent-length: ')
  if (at < 0 || at > headEnd) at = text.indexOf('ontent-Length: ')
  if (at < 0 || at > headEnd) throw new Error(`an answer without a length: ${text.slice(0, headEnd)}`)
  const start = at + 'ontent-length: '.length
  return Number(text.slice(start, text.indexOf('\r', start)))
}
