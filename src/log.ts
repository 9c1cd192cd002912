import pino, { type Logger } from 'pino'
import { logBufferBytes, logBytesMax, logFlushMs } from './limits.ts'

/** JSON lines on standard output. Nothing is logged whole that could hold a secret: no headers, bodies or addresses of pages. */
export function makeLog(level: string): Logger {
  const lines = new Lines()
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${isoNow()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
    },
    lines,
  )
  setInterval(() => lines.flush(), logFlushMs).unref()
  process.once('exit', () => lines.flushSync())
  return log
}

type Stream = ReturnType<typeof pino.destination> & { minLength?: number }

/**
 * Lines leave together, since each would be a system call, and are put together here, since the stream looks through all
 * that it holds for each. If nobody reads, lines are dropped when the memory for them is full: the game goes on.
 */
class Lines {
  readonly #stream: Stream = pino.destination({ dest: 1, sync: false, maxLength: logBytesMax })
  #waiting = ''

  write(line: string): void {
    this.#waiting += line
    if (this.#waiting.length >= logBufferBytes) this.flush()
  }

  flush(): void {
    const lines = this.#waiting
    this.#waiting = ''
    if (lines !== '') this.#stream.write(lines)
  }

  flushSync(): void {
    // Else the stream would begin to write by itself, and nobody would be there to see it through.
    this.#stream.minLength = Infinity
    this.flush()
    this.#stream.flushSync()
    this.#stream.minLength = 0
  }
}

/**
 * The line of an answered request, as pino would write it. There is one for each, and pino's way of writing any object took
 * a twelfth of a grant's time.
 */
export function writeRequestLine(log: Logger, level: 'info' | 'error', request: RequestLine): void {
  if (!log.isLevelEnabled(level)) return
  const { requestId, method, path, status, ms, merchant, token } = request
  const caller =
    token === undefined ? '' : `,"merchant":${JSON.stringify(merchant)},"token":${JSON.stringify(token)}`
  const stream = (log as unknown as Record<symbol, { write: (line: string) => void }>)[pino.symbols.streamSym]
  stream?.write(
    `{"level":"${level}","time":"${isoNow()}","pid":${process.pid},"requestId":"${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${Math.round(ms * 10) / 10}${caller},"msg":"request"}\n`,
  )
}

/** Ids of requests are ours, and methods the parser's: of letters, digits and `-`, so that they need no quoting. */
export type RequestLine = {
  requestId: string
  method: string
  path: string
  status: number
  ms: number
  merchant?: string | undefined
  token?: string | undefined
}

let isoMs = 0
let iso = ''

/** Many lines are of the same millisecond. */
function isoNow(): string {
  const now = Date.now()
  if (now !== isoMs) {
    isoMs = now
    iso = new Date(now).toISOString()
  }
  return iso
}

/** Errors of the driver carry their whole connection, password included, so only what is named here is written. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? { code: String(error.code) } : {}
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause }
}
