import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { SigningKey } from '../crypto/signing-key.ts'
import {
  entryCodeAttempts,
  entryCodeLength,
  entryCodeResendSeconds,
  entryCodeSeconds,
} from './entry-limits.ts'
import type { EntrySession, NewCode } from './entry-sessions.ts'
import { seal, unseal, wrappedKeyBytes } from './seal.ts'

/** A new code for a session, and the code itself, which is stored as a hash only, and sealed until it is mailed. */
export function makeCode(
  sessionId: string,
  { key, isMailed, now }: { key: SigningKey; isMailed: boolean; now: Date },
): NewCode {
  const code = String(randomInt(10 ** entryCodeLength)).padStart(entryCodeLength, '0')
  const { wrappedKey, sealed } = seal(code, codePlace(sessionId), key)
  return {
    codeHash: hashOf(sessionId, code, key),
    sealedCode: Buffer.concat([wrappedKey, sealed]),
    codeExpiresAt: later(now, entryCodeSeconds),
    resendAt: later(now, entryCodeResendSeconds),
    attemptsLeft: entryCodeAttempts,
    mailDueAt: isMailed ? now : null,
  }
}

export function isCode({ sessionId, codeHash }: EntrySession, typed: string, key: SigningKey): boolean {
  return timingSafeEqual(codeHash, hashOf(sessionId, typed, key))
}

/** The code of a session, while it is kept. */
export function readCode(
  { sessionId, sealedCode }: { sessionId: string; sealedCode: Buffer },
  key: SigningKey,
): string {
  const [wrappedKey, sealed] = [sealedCode.subarray(0, wrappedKeyBytes), sealedCode.subarray(wrappedKeyBytes)]
  return unseal({ wrappedKey, sealed }, codePlace(sessionId), key)
}

/** Where the code of a session belongs, for its encryption. */
function codePlace(sessionId: string): string {
  return `code ${sessionId}`
}

/** Where what was typed belongs. */
export function sessionPlace(sessionId: string): string {
  return `session ${sessionId}`
}

export function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}

/** Six digits could be tried out against a plain hash in a moment. */
function hashOf(sessionId: string, code: string, { secret }: SigningKey): Buffer {
  return createHmac('sha256', secret).update(`wheelhouse entry code ${sessionId} ${code}`).digest()
}
