import type { Server } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

/**
 * Limits the connections per client address, so that one client cannot lock out all others by opening idle connections.
 * A trusted proxy is exempt: it carries many clients, and has its own limits.
 */
export function limitConnections(
  server: Server,
  { perAddressMax, trusted }: { perAddressMax: number; trusted: readonly string[] },
): void {
  const proxies = blockListOf(trusted)
  const counts = new Map<string, number>()
  server.prependListener('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return
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

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
