import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../refusals.ts'

/** Refuses what Node's parser lets through, or would answer without a problem document. */
export function refuseOddHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, headers }, _reply, done) => {
    const detail = whatIsOdd(raw)
    const { expect } = headers
    const expectsMore = expect !== undefined && expect.toLowerCase() !== '100-continue'
    if (detail !== undefined) done(new Refusal('request_malformed', { detail }))
    else done(expectsMore ? new Refusal('request_malformed') : undefined)
  })
  // After the token: the body of a stranger is of no interest.
  app.addHook('preParsing', ({ headers }, _reply, _payload, done) => {
    const detail = whatIsUnreadable(headers)
    done(detail === undefined ? null : new Refusal('content_type_unsupported', { detail }))
  })
}

function whatIsOdd(request: IncomingMessage): string | undefined {
  const { httpVersion, headers } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The version of HTTP must be 1.1 or 1.0.'
  const { host } = headers
  if (host === undefined) return httpVersion === '1.1' ? 'The Host header is missing.' : undefined
  if (!isHost(host)) return 'The Host header is malformed.'
  return countHeaders(request, 'host') > 1 ? 'There is more than one Host header.' : undefined
}

function whatIsUnreadable(headers: IncomingMessage['headers']): string | undefined {
  const coding = headers['content-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    return 'The body must have no Content-Encoding.'
  const charset = charsetIn.exec(headers['content-type'] ?? '')?.[1]
  return charset === undefined || isUtf8.test(charset) ? undefined : 'The charset must be UTF-8.'
}

const charsetIn = /;[ \t]*charset="?([^";,\s]*)/i
const isUtf8 = /^utf-?8$/i

/** A name or an address, perhaps with a port. Without the commas of RFC 3986: those are two headers joined to one. */
export function isHost(value: string): boolean {
  return hostRule.test(value)
}

const hostRule = /^(?:[\w.~%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/** Node keeps only the first of several headers of some names, so they are counted in the raw list. */
export function countHeaders({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const other = rawHeaders[index] as string
    if (other.length === name.length && other.toLowerCase() === name) count++
  }
  return count
}
