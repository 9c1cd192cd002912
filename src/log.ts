import pino, { type Logger } from 'pino'
import { logFlushMs } from './limits.ts'
import { LogLines, type LogTrouble } from './log-lines.ts'

/** JSON lines on standard output. Nothing that may contain a secret is logged: no headers, bodies or full URLs. */
export function makeLog(level: string): Logger {
  const lines = new LogLines()
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
  lines.onRecovery = (dropped, trouble) => log.warn({ dropped, trouble }, 'lines of the log were dropped')
  setInterval(() => lines.flush(), logFlushMs).unref()
  process.once('exit', () => lines.end())
  return log
}

/** How many lines of the log were dropped, and a sentence with the reason while lines are being dropped. */
export function droppedLines(log: Logger): DroppedLines {
  const lines = streamOf(log)
  if (!(lines instanceof LogLines)) return { counts: {}, detail: undefined }
  const { dropped: counts, trouble } = lines
  const detail = trouble === undefined ? undefined : `Lines of the log are dropped: ${reasons[trouble]}.`
  return { counts, detail }
}

type DroppedLines = { counts: Partial<Record<LogTrouble, number>>; detail: string | undefined }

const reasons: Record<LogTrouble, string> = {
  disk_full: 'the disk that standard output is written to is full',
  closed: 'the program that read standard output has ended',
  blocked: 'nothing takes what is written to standard output',
  failed: 'writing to standard output fails',
}

function streamOf(log: Logger): { write: (line: string) => void } | undefined {
  return (log as unknown as Record<symbol, { write: (line: string) => void }>)[pino.symbols.streamSym]
}

/**
 * The log line of a request, in pino's format. Every request writes one, and pino's generic serialiser took a twelfth
 * of a grant's time.
 */
export function writeRequestLine(log: Logger, level: 'info' | 'error', request: RequestLine): void {
  if (!log.isLevelEnabled(level)) return
  const { requestId, method, path, status, ms, traceId, merchant, token } = request
  const caller =
    token === undefined ? '' : `,"merchant":${JSON.stringify(merchant)},"token":${JSON.stringify(token)}`
  const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`
  streamOf(log)?.write(
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
