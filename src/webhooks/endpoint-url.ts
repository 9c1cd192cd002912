import { isIP } from 'node:net'
import { webhookUrlLengthMax } from '../limits.ts'
import { addressJudge, type NetworkRules } from './network-rules.ts'

/**
 * What is wrong with an address for a webhook, if anything. The URL parser has turned decimal, octal and hexadecimal
 * forms of an address into the plain one by then. A name is not looked up here: that happens at each connection.
 */
export function endpointUrlFault(text: string, rules: NetworkRules): string | undefined {
  const url = URL.parse(text)
  if (url === null || text.length > webhookUrlLengthMax || /[\s\p{Cc}]/u.test(text))
    return `must be an address of at most ${webhookUrlLengthMax} characters`
  if (url.protocol !== 'https:' && !(rules.allowHttp && url.protocol === 'http:'))
    return rules.allowHttp ? 'must begin with https:// or http://' : 'must begin with https://'
  if (url.username !== '' || url.password !== '')
    return 'must hold no user and no password; deliveries are signed instead'
  if (url.hash !== '') return 'must have no fragment'
  if (!isPortAllowed(url)) return 'must use the port of its scheme, or one from 1024 up'
  const host = hostOf(url)
  if (isIP(host) !== 0 && !addressJudge(rules)(host)) return 'must lead to a public address'
  return undefined
}

/**
 * The address as events, logs and lists show it. People keep keys in the query, and some services put theirs into the path:
 * the query is left out, and long parts of the path are cut.
 */
export function maskedUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null) return '…'
  const parts = url.pathname.split('/').map((part) => (part.length < 20 ? part : `${part.slice(0, 4)}…`))
  return `${url.origin}${parts.join('/')}${url.search === '' ? '' : '?…'}`
}

/** The host without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Below 1024 live mail, remote shells and their like; nothing good comes of sending them HTTP. */
function isPortAllowed(url: URL): boolean {
  return url.port === '' || Number(url.port) >= 1024
}
