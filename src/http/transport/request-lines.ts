import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { headerBytesMax } from '../../limits.ts'

/** The bytes that a connection behind Node's parser has received after the head of its latest request. */
type Received = { bytes: Buffer; bodyBytesLeft: number; isChunked: boolean }

const receivedBy = new WeakMap<Socket, Received>()

/** Follows the bytes of a connection, for `hasExactLine`. */
export function followRequestLines(socket: Socket): void {
  const received: Received = { bytes: Buffer.alloc(0), bodyBytesLeft: 0, isChunked: false }
  receivedBy.set(socket, received)
  // Before Node's own listener, which reports the requests in these bytes.
  socket.prependListener('data', (chunk: Buffer) => {
    // A head is never longer, so its first line stays among these bytes.
    const before = received.bytes.subarray(-headerBytesMax)
    received.bytes = before.length === 0 ? chunk : Buffer.concat([before, chunk])
    skipBody(received)
  })
}

/**
 * Whether the parts of the request line have single spaces between them. Node's parser also accepts several, and does
 * not show the line. Must be called at once when Node reports the request.
 */
export function hasExactLine(request: IncomingMessage): boolean {
  const received = receivedBy.get(request.socket) as Received
  const { bytes } = received
  const start = received.isChunked ? findLine(bytes, request) : endOfEmptyLines(bytes)
  const line = Buffer.from(`${request.method} ${request.url} HTTP/${request.httpVersion}\r\n`, 'latin1')
  const isExact = bytes.subarray(start, start + line.length).equals(line)
  received.bytes = bytes.subarray(bytes.indexOf('\r\n\r\n', start) + 4)
  received.isChunked = request.headers['transfer-encoding'] !== undefined
  received.bodyBytesLeft = Number(request.headers['content-length'] ?? 0)
  skipBody(received)
  return isExact
}

function skipBody(received: Received): void {
  const skipped = Math.min(received.bodyBytesLeft, received.bytes.length)
  received.bodyBytesLeft -= skipped
  received.bytes = received.bytes.subarray(skipped)
}

/** Node's parser ignores empty lines before a request line. */
function endOfEmptyLines(bytes: Buffer): number {
  const end = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a)
  return Math.max(end, 0)
}

/** The end of a chunked body is not known here. The line is the first that Node's parser may have read as one. */
function findLine(bytes: Buffer, { method, url = '', httpVersion }: IncomingMessage): number {
  const line = new RegExp(`(?<=\\n)${method} +${RegExp.escape(url)} +HTTP/${RegExp.escape(httpVersion)}`)
  return Math.max(bytes.toString('latin1').search(line), 0)
}
