import { hashPassword } from '../crypto/password.ts'
import { Refusal } from '../refusals.ts'
import { type PasswordOwner, weaknessOf } from './password-strength.ts'

/** Checks and hashes every new password. A weak one is refused with advice. */
export async function hashNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  const detail = await weaknessOf(password, owner)
  if (detail !== undefined) throw new Refusal('password_too_easy', { detail })
  return hashPassword(password)
}
