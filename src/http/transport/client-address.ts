import { BlockList, isIP, isIPv6 } from 'node:net'
import { addressesRememberedMin } from '../../limits.ts'
import { RecentMap } from '../../recent-map.ts'

/** Whether an address belongs to one of these networks. Anything that is not an address does not. */
export function trustedProxies(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/**
 * The client's address, like the framework's `request.ip`: the last one in `X-Forwarded-For` that no trusted proxy has,
 * or the connection's own if that is no trusted proxy.
 */
export function clientAddress(networks: readonly string[]) {
  const isProxy = remembering(trustedProxies(networks))
  return (address: string, forwardedFor: string | undefined): string => {
    if (forwardedFor === undefined || !isProxy(address)) return address
    const hops = forwardedFor
      .split(',')
      .map((hop) => hop.trim())
      .filter((hop) => hop !== '')
    return hops.findLast((hop) => !isProxy(hop)) ?? hops[0] ?? address
  }
}

/** To look an address up in the networks takes longer than all else that is done with it. */
function remembering(isProxy: (address: string) => boolean): (address: string) => boolean {
  const known = new RecentMap<string, boolean>(addressesRememberedMin)
  return (address) => {
    let found = known.get(address)
    if (found === undefined) known.set(address, (found = isProxy(address)))
    return found
  }
}
