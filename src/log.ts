import pino, { type Logger } from 'pino'
import { logBufferBytes, logBytesMax, logFlushMs } from './limits.ts'

/** JSON lines on standard output. Nothing is logged whole that could hold a secret: no headers, bodies or addresses of pages. */
export function makeLog(level: string): Logger {
  // A line for each request would otherwise be a system call for each. If nobody reads, lines are dropped when the
  // memory for them is full: the game goes on.
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: logBufferBytes,
    maxLength: logBytesMax,
  })
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
    },
    destination,
  )
  setInterval(() => log.flush(), logFlushMs).unref()
  process.once('exit', () => destination.flushSync())
  return log
}

/** Errors of the driver carry their whole connection, password included, so only what is named here is written. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? { code: String(error.code) } : {}
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause }
}
