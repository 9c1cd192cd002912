import { promises as dns } from 'node:dns'
import { webhookLookupTimeoutMs } from '../../limits.ts'

/** Resolves a host name to its addresses. */
export type Lookup = (name: string) => Promise<string[]>

/**
 * Queries the DNS servers of this machine on its own sockets. The system resolver would occupy one of Node's four
 * threads for as long as a name server does not answer: four endpoints with slow names would block all others.
 */
export function dnsLookup(): Lookup {
  const resolver = new dns.Resolver({ timeout: webhookLookupTimeoutMs, tries: 2 })
  return async (name) => {
    if (/(^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1']
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [first] = answers
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason
    return addresses
  }
}
