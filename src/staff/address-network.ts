import { isIPv6 } from 'node:net'

/** The network of an address. One subscriber has a whole IPv6 network, of at least `bits` bits. */
export function networkOf(address: string, bits: number): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return groups.slice(6).flatMap(bytesOf).join('.')
  const kept = groups.map((group, index) => {
    const bitsKept = Math.min(16, Math.max(0, bits - index * 16))
    return group & (0xffff << (16 - bitsKept)) & 0xffff
  })
  return `${kept.map((group) => group.toString(16)).join(':')}/${bits}`
}

/** The eight groups of an IPv6 address. The URL parser writes an IPv4 address at the end as two groups. */
function groupsOf(address: string): number[] {
  const [bare] = address.split('%') as [string]
  const text = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const [head, tail] = text.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const known = [...(head ?? []), ...(tail ?? [])]
  const zeros = Array.from({ length: 8 - known.length }, () => '0')
  return [...(head ?? []), ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16))
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 0xff]
}
