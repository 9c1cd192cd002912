import pino, { type Logger } from 'pino'
import { logBufferBytes, logBytesMax, logFlushMs } from './limits.ts'

/** JSON lines on standard output. Nothing that may contain a secret is logged: no headers, bodies or full URLs. */
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
 * Collects lines and writes them together, because each write is a system call. Lines are joined here, because the stream
 * goes through its whole buffer for each. If nobody reads the output and the buffer is full, lines are dropped: a blocked
 * pipe must not block the game.
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
    // Otherwise the stream would start an asynchronous write that the exiting process can't finish.
    this.#stream.minLength = Infinity
    this.flush()
    this.#stream.flushSync()
    this.#stream.minLength = 0
  }
}

/**
 * The log line of a request, in pino's format. Every request writes one, and pino's generic serialiser took a twelfth of a
 * grant's time.
 */
export function writeRequestLine(log: Logger, level: 'info' | 'error', request: RequestLine): void {
  if (!log.isLevelEnabled(level)) return
  const { requestId, method, path, status, ms, traceId, merchant, token } = request
  const caller =
    token === undefined ? '' : `,"merchant":${JSON.stringify(merchant)},"token":${JSON.stringify(token)}`
  const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`
  const stream = (log as unknown as Record<symbol, { write: (line: string) => void }>)[pino.symbols.streamSym]
  stream?.write(
    `{"level":"${level}","time":"${isoNow()}","pid":${process.pid},"requestId":"${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${Math.round(ms * 10) / 10}${trace}${caller},"msg":"request"}\n`,
  )
}

/** Request ids, trace ids and methods consist of letters, digits and `-`, so they need no quoting. */
type RequestLine = {
  requestId: string
  method: string
  path: string
  status: number
  ms: number
  traceId?: string | undefined
  merchant?: string | undefined
  token?: string | undefined
}

let isoMs = 0
let iso = ''

/** Caches the timestamp, because many lines have the same millisecond. */
function isoNow(): string {
  const now = Date.now()
  if (now !== isoMs) {
    isoMs = now
    iso = new Date(now).toISOString()
  }
  return iso
}

/** Driver errors contain the whole connection, password included, so only the fields named here are logged. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? { code: String(error.code) } : {}
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause }
}
