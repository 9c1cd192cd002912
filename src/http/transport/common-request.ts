import { bodyBytesMax, headerBytesMax, headerCountMax } from '../../limits.ts'
import { isHost } from './header-rules.ts'

/** A request in the form that nearly all clients send. `length` is its size in bytes, head and body. */
export type CommonRequest = {
  path: string
  authorization: string | undefined
  key: string | undefined
  traceparent: string | undefined
  /** The addresses that proxies have added, if any. */
  forwardedFor: string | undefined
  body: Buffer
  length: number
}

/** `lengthMin`: the bytes may be the start of a common request, which has at least this many bytes. */
export type CommonReader = (bytes: Buffer) => CommonRequest | { lengthMin: number } | 'uncommon'

/**
 * Reads a POST to one of the paths from the start of `bytes`, if no two parsers could read it differently: one length,
 * no transfer coding, no folded header, only printable ASCII in the head. Requests to `tokenPaths` have a token in
 * their head; those to `openPaths` have none. `uncommon` does not mean invalid: Node's own parser decides.
 */
export function commonReader(tokenPaths: readonly string[], openPaths: readonly string[] = []): CommonReader {
  const paths = [...tokenPaths, ...openPaths]
  const firstLines = paths.map((path) => `POST ${path} HTTP/1.1\r\n`)
  const longest = Math.max(...firstLines.map((line) => line.length))
  return (bytes) => {
    const emptyLine = bytes.indexOf(headEnd)
    const headLength = emptyLine === -1 ? undefined : emptyLine + headEnd.length
    const text = bytes.toString('latin1', 0, Math.min(headLength ?? longest, headerBytesMax))
    const index = firstLines.findIndex((line) => text.startsWith(line))
    if (index === -1 && !firstLines.some((line) => line.startsWith(text))) return 'uncommon'
    if ((headLength ?? bytes.length) > headerBytesMax) return 'uncommon'
    if (headLength === undefined) return { lengthMin: bytes.length + 1 }
    const start = (firstLines[index] as string).length
    lines.lastIndex = start
    const head = lines.test(text) ? readHead(text, start, headLength - 2) : undefined
    if (head === undefined) return 'uncommon'
    const { authorization, key, traceparent, forwardedFor } = head
    if ((authorization !== undefined) !== index < tokenPaths.length) return 'uncommon'
    const length = headLength + head.bodyLength
    if (bytes.length < length) return { lengthMin: length }
    const body = bytes.subarray(headLength, length)
    return { path: paths[index] as string, authorization, key, traceparent, forwardedFor, body, length }
  }
}

const headEnd = Buffer.from('\r\n\r\n')

/** Header lines, each a name and a value, up to and including the empty line. */
const lines = new RegExp(`(?:[A-Za-z0-9-]+:[ -~]*\\r\\n){1,${headerCountMax}}\\r\\n$`, 'y')

type Head = Omit<CommonRequest, 'path' | 'body' | 'length'> & { bodyLength: number }

/** Returns undefined if a header that must be unique is repeated, or a header changes how the request is handled. */
function readHead(text: string, start: number, end: number): Head | undefined {
  let host: string | undefined
  let authorization: string | undefined
  let type: string | undefined
  let bodyLength: string | undefined
  let key: string | undefined
  let traceparent: string | undefined
  let forwardedFor: string | undefined
  for (let at = start; at < end;) {
    const colon = text.indexOf(':', at)
    const lineEnd = text.indexOf('\r\n', colon)
    const name = text.slice(at, colon).toLowerCase()
    const value = text.slice(colon + 1, lineEnd).trim()
    at = lineEnd + 2
    if (name === 'host' && host === undefined) host = value
    else if (name === 'authorization' && authorization === undefined) authorization = value
    else if (name === 'content-type' && type === undefined) type = value
    else if (name === 'content-length' && bodyLength === undefined) bodyLength = value
    else if (name === 'idempotency-key' && key === undefined) key = value
    else if (name === 'traceparent') traceparent = join(traceparent, value)
    else if (name === 'x-forwarded-for') forwardedFor = join(forwardedFor, value)
    else if (name === 'connection' && value.toLowerCase() === 'keep-alive') continue
    else if (meaningful.has(name)) return undefined
  }
  if (host === undefined || !isHost(host)) return undefined
  if (type === undefined || !jsonTypes.has(type)) return undefined
  if (bodyLength === undefined || !/^[1-9]\d{0,5}$/.test(bodyLength)) return undefined
  return Number(bodyLength) <= bodyBytesMax
    ? { authorization, key, traceparent, forwardedFor, bodyLength: Number(bodyLength) }
    : undefined
}

/** Joins repeated headers as Node does. */
function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`
}

const jsonTypes = new Set(['application/json', 'application/json; charset=utf-8'])

/** Headers that change how a request is read or whom it comes from. */
const meaningful = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'idempotency-key',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
