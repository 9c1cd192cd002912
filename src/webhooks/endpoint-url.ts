import { isIP } from 'node:net'
import { webhookUrlLengthMax } from '../limits.ts'
import { makeAddressCheck, type NetworkRules } from './network-rules.ts'

/**
 * The problem with a webhook URL, or undefined. The URL parser has already normalised decimal, octal and hexadecimal
 * addresses. A host name is not resolved here, but for each connection.
 */
export function endpointUrlFault(text: string, rules: NetworkRules): string | undefined {
  const url = URL.parse(text)
  if (url === null || text.length > webhookUrlLengthMax || /[\s\p{Cc}]/u.test(text))
    return `must be a URL of at most ${webhookUrlLengthMax} characters`
  if (url.protocol !== 'https:' && !(rules.allowHttp && url.protocol === 'http:'))
    return rules.allowHttp
      ? 'must begin with https:// or http://'
      : 'must begin with https:// (the server setting WEBHOOK_ALLOW_HTTP=on allows http:// too)'
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or password; deliveries are signed instead'
  if (url.hash !== '') return 'must not have a fragment'
  if (!isPortAllowed(url)) return 'must use the default port of its scheme, or a port from 1024 on'
  const host = hostOf(url)
  if (isIP(host) !== 0 && !makeAddressCheck(rules)(host)) return 'must lead to a public address'
  return undefined
}

/**
 * The URL as shown in events, logs and lists. The query and the path may contain keys, so the query is left out and
 * long parts of the path are cut.
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

/** Ports below 1024 belong to mail, remote shells and similar services, which should never get our requests. */
function isPortAllowed(url: URL): boolean {
  return url.port === '' || Number(url.port) >= 1024
}
