import { isIP } from 'node:net'

/** The domain and origin of the console, to which passkeys are bound. */
export type RelyingParty = { id: string; origin: string }

/** The reason why browsers would refuse passkeys at this public URL. */
type PasskeyObstacle = 'ip_address' | 'no_https'

/** WebAuthn requires a domain (no IP address) and https; only `localhost` may use http. */
export function relyingPartyOf(publicUrl: string): RelyingParty | PasskeyObstacle {
  const { hostname, origin, protocol } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'ip_address'
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal) return 'no_https'
  return { id: hostname, origin }
}
