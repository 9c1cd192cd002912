import { isIP } from 'node:net'

/** What passkeys are bound to: the console's domain and origin, as browsers see them. */
export type RelyingParty = { id: string; origin: string }

/** Why browsers would refuse passkeys at this public URL. */
export type PasskeyObstacle = 'ip_address' | 'no_https'

/** WebAuthn wants a domain, no IP address, and https; only `localhost` may do without. */
export function relyingPartyOf(publicUrl: string): RelyingParty | PasskeyObstacle {
  const { hostname, origin, protocol } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'ip_address'
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal) return 'no_https'
  return { id: hostname, origin }
}
