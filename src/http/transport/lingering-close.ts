import { Socket } from 'node:net'
import { lingerBytesMax, lingerMsMax, lingerSilenceMsMax } from '../../limits.ts'

/**
 * Sends the answer that was written, then closes. Closing at once while the client still sends would reset the
 * connection, and a reset can delete the answer before the client has read it. So we close our side first, and discard
 * further bytes from the client for a limited time (RFC 9112, section 9.6).
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
  // The time counts from when the answer is sent, which may take long.
  const wait = () => {
    deadline = performance.now() + lingerMsMax
    silence = setTimeout(() => socket.destroy(), lingerSilenceMsMax)
  }
  if (socket.writableFinished) wait()
  else socket.once('finish', wait)
  socket.once('end', () => destroyWhenSent(socket)).once('close', () => clearTimeout(silence))
  // No parser may see these bytes.
  socket.removeAllListeners('data').on('data', discard).resume()
}

/** Whether the connection has had its last answer. Requests that arrive now must not be carried out. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket)
}

const closing = new WeakSet<Socket>()

/** From the prototype, because bare-connections.ts replaces `destroySoon` on some sockets. */
function destroyWhenSent(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket)
}
