import { BlockList, isIP, isIPv4 } from 'node:net'

/** Which addresses a webhook may be sent to. */
export type NetworkRules = {
  allowHttp: boolean
  /** Networks that are allowed although they are not public. */
  allowedNetworks: readonly string[]
}

/**
 * A check of addresses, built once. It checks the address that a socket connects to, never a name, which may resolve
 * to another address a moment later.
 */
export function makeAddressCheck(rules: Pick<NetworkRules, 'allowedNetworks'>): (address: string) => boolean {
  const allowed = blockList(rules.allowedNetworks)
  return (given) => {
    const address = withoutMapping(given)
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (isIP(address) === 0 || neverAllowed.check(address, family)) return false
    if (allowed.check(address, family)) return true
    if (special.check(address, family)) return false
    // In IPv6, only one block is allocated for global use; everything else is not the public internet.
    return family === 'ipv4' || globalUnicast.check(address, family)
  }
}

/** `::ffff:10.0.0.1` is 10.0.0.1 on the wire. It can also be written `::ffff:a00:1`. */
function withoutMapping(address: string): string {
  const canonical = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (mapped === null) return address
  const [high = 0, low = 0] = mapped.slice(1).map((part) => Number.parseInt(part, 16))
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    list.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family)
  }
  return list
}

/** Where clouds serve the credentials of a machine. The list of allowed networks can't open these. */
const neverAllowed = blockList([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
])

const globalUnicast = blockList(['2000::/3'])

/**
 * Addresses that the registries of special-purpose addresses (RFC 6890 and its successors) exclude from the public
 * internet.
 */
const special = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Teredo, benchmarking, ORCHID and others that the IETF reserves for protocols.
  '2001::/23',
  '2001:db8::/32',
  // 6to4 contains an IPv4 address, possibly a private one.
  '2002::/16',
  '3fff::/20',
])
