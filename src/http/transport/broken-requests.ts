import type { Socket } from 'node:net'
import { STATUS_CODES } from 'node:http'
import type { Context } from '../../context.ts'
import { Refusal, type RefusalCode } from '../../refusals.ts'
import { lingeringClose } from './lingering-close.ts'
import { makeProblem, problemContentType } from './problems.ts'
import { logBrokenRequest } from './request-log.ts'

/** Answers bytes that are not a valid request. Writes a problem document directly to the socket. */
export function answerBrokenRequest(
  ctx: Context,
  error: NodeJS.ErrnoException,
  { socket, requestId, headers }: { socket: Socket; requestId: string; headers: Record<string, string> },
): void {
  const refusal = new Refusal(parserCodes[error.code ?? ''] ?? 'request_malformed')
  const problem = makeProblem(refusal, { publicUrl: ctx.config.publicUrl, requestId })
  const body = JSON.stringify(problem)
  const allHeaders = {
    Connection: 'close',
    'Content-Type': problemContentType,
    'Content-Length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...headers,
  }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  logBrokenRequest(ctx, { requestId, status: problem.status })
  socket.write(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`)
  lingeringClose(socket)
}

const parserCodes: Partial<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_INVALID_EOF_STATE: 'request_incomplete',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}
