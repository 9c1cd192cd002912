import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../refusals.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a JSON body. Stricter than most: bytes that are not UTF-8 would otherwise become another player's id. */
export function parseJsonBody(
  request: FastifyRequest,
  bytes: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  let body: unknown
  try {
    const { schema, config } = request.routeOptions
    const isExpected = bytes.length > 0 || (schema?.body !== undefined && config.hasOptionalBody !== true)
    body = isExpected ? readJson(bytes as Buffer) : undefined
  } catch (error) {
    done(error as Error)
    return
  }
  done(null, body)
}

export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Refusal('body_malformed', { detail: 'The body is empty.' })
  const body = parse(decode(bytes))
  // It could do no harm here, but nobody sends it for a good reason.
  if (typeof body === 'object' && body !== null && Object.hasOwn(body, '__proto__')) {
    throw new Refusal('body_malformed', { detail: 'The body has a field "__proto__".' })
  }
  return body
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw new Refusal('body_malformed', { detail: 'The body is not valid UTF-8.', cause: error })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's own words would quote the body.
    throw new Refusal('body_malformed', { detail: 'The body is not valid JSON.', cause: error })
  }
}
