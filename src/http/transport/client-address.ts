import { BlockList, isIP, isIPv6 } from 'node:net'

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
 * The client's address, like the framework's `request.ip`: the last one in `X-Forwarded-For` that no trusted proxy has, or
 * the connection's own if that is no trusted proxy.
 */
export function clientAddress(networks: readonly string[]) {
  const isProxy = trustedProxies(networks)
  return (address: string, forwardedFor: string | undefined): string => {
    if (forwardedFor === undefined || !isProxy(address)) return address
    const hops = forwardedFor
      .split(',')
      .map((hop) => hop.trim())
      .filter((hop) => hop !== '')
    return hops.findLast((hop) => !isProxy(hop)) ?? hops[0] ?? address
  }
}
