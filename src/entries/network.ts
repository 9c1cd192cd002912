import { isIPv4 } from 'node:net'
import { networkOf } from '../staff/address-network.ts'
import { sourceNetworkBits } from '../limits.ts'

/** The network of a visitor: one person can have many addresses in it, and rarely others. */
export function networkOfVisitor(address: string): string {
  const network = networkOf(address, sourceNetworkBits)
  return isIPv4(network) ? network.replace(/\d+$/, '0/24') : network
}
