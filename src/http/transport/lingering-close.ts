import { Socket } from 'node:net'
import { lingerBytesMax, lingerMsMax, lingerSilenceMsMax } from '../../limits.ts'

/**
 * Sends what was written, then closes. To close at once while the client still sends resets the connection, and a reset
 * can delete the answer before the client has read it. So only our side ends at first, and what the client still sends is
 * discarded for a bounded time (RFC 9112, section 9.6).
 */
export function lingeringClose(socket: Socket): void {
  if (socket.destroyed || closing.has(socket)) return
  closing.add(socket)
  socket.end()
  if (socket.readableEnded) return destroyWhenSent(socket)
  let bytesLeft = lingerBytesMax
  let deadline = Infinity
  let silence: NodeJS.Timeout | undefined
  const discard = (bytes: Buffer) => {
    bytesLeft -= bytes.length
    if (bytesLeft < 0 || performance.now() > deadline) socket.destroy()
    silence?.refresh()
  }
  // An answer may take long to send; only then does the time count.
  const wait = () => {
    deadline = performance.now() + lingerMsMax
    silence = setTimeout(() => socket.destroy(), lingerSilenceMsMax)
  }
  if (socket.writableFinished) wait()
  else socket.once('finish', wait)
  socket.once('end', () => destroyWhenSent(socket)).once('close', () => clearTimeout(silence))
  // No parser is to see any of it.
  socket.removeAllListeners('data').on('data', discard).resume()
}

/** Whether the last answer of this connection was decided: nothing that comes now may be carried out. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket)
}

const closing = new WeakSet<Socket>()

/** Without `socket.`: Node's server calls that one, and a connection may have its own. */
function destroyWhenSent(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket)
}
