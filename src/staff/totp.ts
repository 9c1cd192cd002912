import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30

export function makeTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The URI that an authenticator app reads, from a QR code or a link. */
export function totpAddress(secret: string, email: string): string {
  return totp(secret, email).toString()
}

/** The 30-second step of a code, if it is the current one or a neighbour, since clocks differ. */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const distance = totp(secret, 'staff').validate({ token: code, timestamp, window: 1 })
  return distance === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + distance
}

function totp(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Wheelhouse', label, secret, digits: 6, period: periodSeconds })
}
