import type { Server } from 'node:http'
import { trustedProxies } from './client-address.ts'

/**
 * Limits the connections per client address, so that one client cannot lock out all others by opening idle connections.
 * A trusted proxy is exempt: it carries many clients, and has its own limits.
 */
export function limitConnections(
  server: Server,
  { perAddressMax, trusted }: { perAddressMax: number; trusted: readonly string[] },
): void {
  const isProxy = trustedProxies(trusted)
  const counts = new Map<string, number>()
  server.prependListener('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (isProxy(address)) return
    const count = (counts.get(address) ?? 0) + 1
    if (count > perAddressMax) {
      socket.destroy()
      return
    }
    counts.set(address, count)
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1
      if (left === 0) counts.delete(address)
      else counts.set(address, left)
    })
  })
}
