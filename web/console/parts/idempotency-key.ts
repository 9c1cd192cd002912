import { useState } from 'react'

/** The same idempotency key for each attempt, so that a retry after a lost answer changes nothing. */
export function useIdempotencyKey(): { headers: Record<string, string>; renew: () => void } {
  const [key, setKey] = useState(() => crypto.randomUUID())
  return { headers: { 'Idempotency-Key': `console-${key}` }, renew: () => setKey(crypto.randomUUID()) }
}
