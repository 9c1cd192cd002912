import { bodyBytesMax, headerBytesMax, headerCountMax } from '../../limits.ts'
import { isHost } from './header-rules.ts'

/** A request as nearly all of them come. `length` is how many bytes of the connection it takes. */
export type CommonRequest = {
  path: string
  authorization: string
  key: string | undefined
  body: Buffer
  length: number
}

/** `lengthMin`: it may become one, but not before there are so many bytes. */
export type CommonReader = (bytes: Buffer) => CommonRequest | { lengthMin: number } | 'odd'

/**
 * Reads a POST to one of the paths off the start of `bytes`, if there is nothing about it that two readers could read in two
 * ways: one length, no coding, no fold, no byte in its head but printable ASCII. `odd` does not mean wrong: Node's own parser is
 * to say what it is.
 */
export function commonReader(paths: readonly string[]): CommonReader {
  const firstLines = paths.map((path) => `POST ${path} HTTP/1.1\r\n`)
  const longest = Math.max(...firstLines.map((line) => line.length))
  return (bytes) => {
    const emptyLine = bytes.indexOf(headEnd)
    const headLength = emptyLine === -1 ? undefined : emptyLine + headEnd.length
    const text = bytes.toString('latin1', 0, Math.min(headLength ?? longest, headerBytesMax))
    const place = firstLines.findIndex((line) => text.startsWith(line))
    if (place === -1 && !firstLines.some((line) => line.startsWith(text))) return 'odd'
    if ((headLength ?? bytes.length) > headerBytesMax) return 'odd'
    if (headLength === undefined) return { lengthMin: bytes.length + 1 }
    const start = (firstLines[place] as string).length
    lines.lastIndex = start
    const head = lines.test(text) ? readHead(text, start, headLength - 2) : undefined
    if (head === undefined) return 'odd'
    const { authorization, key } = head
    const length = headLength + head.bodyLength
    if (bytes.length < length) return { lengthMin: length }
    const body = bytes.subarray(headLength, length)
    return { path: paths[place] as string, authorization, key, body, length }
  }
}

/** Whether the request line has two spaces in a row. Node's parser takes them for one, and a proxy may not. */
export function hasSpareSpaces(bytes: Buffer): boolean {
  const lineEnd = bytes.indexOf('\r\n')
  const spaces = bytes.indexOf('  ')
  return spaces !== -1 && spaces < lineEnd
}

const headEnd = Buffer.from('\r\n\r\n')

/** Each of a name and a value, up to the empty one. */
const lines = new RegExp(`(?:[A-Za-z0-9-]+:[ -~]*\\r\\n){1,${headerCountMax}}\\r\\n$`, 'y')

type Head = { authorization: string; key: string | undefined; bodyLength: number }

/** Nothing, if a line says twice what may be said once, or asks for more than an answer. */
function readHead(text: string, start: number, end: number): Head | undefined {
  let host: string | undefined
  let authorization: string | undefined
  let type: string | undefined
  let bodyLength: string | undefined
  let key: string | undefined
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
    else if (name === 'connection' && value.toLowerCase() === 'keep-alive') continue
    else if (meaningful.has(name)) return undefined
  }
  if (host === undefined || !isHost(host) || authorization === undefined) return undefined
  if (type === undefined || !jsonTypes.has(type)) return undefined
  if (bodyLength === undefined || !/^[1-9]\d{0,5}$/.test(bodyLength)) return undefined
  return Number(bodyLength) <= bodyBytesMax
    ? { authorization, key, bodyLength: Number(bodyLength) }
    : undefined
}

const jsonTypes = new Set(['application/json', 'application/json; charset=utf-8'])

/** What changes how a request is read, or who sent it. */
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
