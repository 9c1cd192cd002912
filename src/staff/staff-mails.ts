import type { Mail } from '../mail.ts'
import type { Invitation } from './invitations.ts'

/** Emails to staff, as plain text. */
export function invitationMail(
  to: string,
  { link, merchant, by }: { link: string; merchant: string; by: string },
): Mail {
  const text = `${nameInMail(by)} invites you to work for ${nameInMail(merchant)} in Wheelhouse.

Open this link to begin. It works once, within seven days:

${link}

If you did not expect this, leave it: nothing happens without the link.
`
  return { to, subject: `Your invitation to ${nameInMail(merchant)}`, text }
}

export function resetMail(to: string, link: string, lives: 'seven days' | 'an hour'): Mail {
  const text = `Open this link to choose a new password for Wheelhouse. It works once, within ${lives}:

${link}

Your sessions end when it is used. If you did not ask for this, leave it: your password stays as it is.
`
  return { to, subject: 'Your new password for Wheelhouse', text }
}

/** A change to the sign-in methods of an account, reported by email. */
export type MethodChange =
  | 'password'
  | 'app_on'
  | 'app_off'
  | 'recovery_codes'
  | { passkeyAdded: string }
  | { passkeyRemoved: string }
  | { recoveryCodeUsed: { left: number } }
  | 'second_factor_reset'

export function methodMail(to: string, change: MethodChange): Mail {
  const text = `${sentenceFor(change)}

If this was not you, choose a new password, end the other sessions under "Your account", and tell an operator.
`
  return { to, subject: 'How you sign in to Wheelhouse', text }
}

function sentenceFor(change: MethodChange): string {
  if (change === 'password') return 'The password of your Wheelhouse account was changed.'
  if (change === 'app_on') return 'An authenticator app was switched on for your Wheelhouse account.'
  if (change === 'app_off') return 'The authenticator app of your Wheelhouse account was switched off.'
  if (change === 'recovery_codes')
    return 'New recovery codes were made for your Wheelhouse account. The old ones stopped working.'
  if (change === 'second_factor_reset')
    return 'An operator turned off two-factor authentication for your Wheelhouse account: authenticator app, passkeys and recovery codes were removed. Your password works as before.'
  if ('passkeyAdded' in change)
    return `The passkey "${nameInMail(change.passkeyAdded)}" was added to your Wheelhouse account.`
  if ('passkeyRemoved' in change)
    return `The passkey "${nameInMail(change.passkeyRemoved)}" was removed from your Wheelhouse account.`
  return `A recovery code was used to sign in to your Wheelhouse account. You have ${change.recoveryCodeUsed.left} left.`
}

/** The origin of the link: the person who forgot the password, not an operator. */
export const madeBySelf = 'self'

/** Access to a person's mailbox must not bypass the second factor. An operator knows whom the link is for. */
export function keepsSecondFactor({ resetsStaffId, madeBy }: Invitation): boolean {
  return resetsStaffId !== null && madeBy === madeBySelf
}

/**
 * A name on one line, in which no mail program finds the address of a page or a mailbox. People choose names freely,
 * and the mail comes from the operator.
 */
export function nameInMail(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/[.。](?=\S)/g, '. ')
    .replaceAll(/:?\/\/+/g, ' ')
    .replaceAll('@', ' at ')
}
