import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../refusals.ts'

/** Refuses headers that Node's parser accepts, or would refuse without a problem document. */
export function refuseInvalidHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, headers }, _reply, done) => {
    const detail = requestProblem(raw)
    const { expect } = headers
    const expectsMore = expect !== undefined && expect.toLowerCase() !== '100-continue'
    if (detail !== undefined) done(new Refusal('request_malformed', { detail }))
    else
      done(
        expectsMore
          ? new Refusal('request_malformed', { detail: 'The Expect header must be 100-continue.' })
          : undefined,
      )
  })
  // After authentication: an unknown caller learns nothing about its body.
  app.addHook('preParsing', ({ headers }, _reply, _payload, done) => {
    const detail = bodyProblem(headers)
    done(detail === undefined ? null : new Refusal('content_type_unsupported', { detail }))
  })
}

function requestProblem(request: IncomingMessage): string | undefined {
  const { httpVersion, headers } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The HTTP version must be 1.1 or 1.0.'
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'The Transfer-Encoding must be chunked.'
  const { host } = headers
  if (host === undefined) return httpVersion === '1.1' ? 'The Host header is missing.' : undefined
  if (!isHost(host)) return 'The Host header is malformed.'
  const repeated = repeatedHeader(request)
  return repeated === undefined ? undefined : `There is more than one ${repeated} header.`
}

/** A header that must not be repeated. Node would keep the first one. */
export function repeatedHeader(request: IncomingMessage): string | undefined {
  if (countHeaders(request, 'host') > 1) return 'Host'
  return countHeaders(request, 'content-type') > 1 ? 'Content-Type' : undefined
}

function bodyProblem(headers: IncomingMessage['headers']): string | undefined {
  const coding = headers['content-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    return 'The body must have no Content-Encoding.'
  const charset = charsetIn.exec(headers['content-type'] ?? '')?.[1]
  return charset === undefined || isUtf8.test(charset) ? undefined : 'The charset must be UTF-8.'
}

const charsetIn = /;[ \t]*charset="?([^";,\s]*)/i
const isUtf8 = /^utf-?8$/i

/** A name or address, perhaps with a port. No commas, which RFC 3986 allows: Node joins repeated headers with them. */
export function isHost(value: string): boolean {
  return hostRule.test(value)
}

const hostRule = /^(?:[\w.~%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/** Counts in the raw list, because Node keeps only the first of some repeated headers. */
export function countHeaders({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const other = rawHeaders[index] as string
    if (other.length === name.length && other.toLowerCase() === name) count++
  }
  return count
}
