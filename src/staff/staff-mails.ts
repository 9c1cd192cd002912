import type { Mail } from '../mail.ts'
import type { Invitation } from './invitations.ts'

/** The letters to staff. Pure: a link and a few words, as plain text that every program shows. */
export function invitationMail(
  to: string,
  { link, merchant, by }: { link: string; merchant: string; by: string },
): Mail {
  const text = `${by} invites you to work for ${merchant} in Wheelhouse.

Open this link to begin. It works once, within seven days:

${link}

If you did not expect this, leave it: nothing happens without the link.
`
  return { to, subject: `Your invitation to ${oneLine(merchant)}`, text }
}

export function resetMail(to: string, link: string, lives: 'seven days' | 'an hour'): Mail {
  const text = `Open this link to choose a new password for Wheelhouse. It works once, within ${lives}:

${link}

Your sessions end when it is used. If you did not ask for this, leave it: your password stays as it is.
`
  return { to, subject: 'Your new password for Wheelhouse', text }
}

/** Who asked for the link: a person who forgot the password, not an operator. */
export const madeBySelf = 'self'

/** Whoever reads somebody's mail must not come past the second factor with it. An operator has seen whom it helps. */
export function keepsSecondFactor({ resetsStaffId, madeBy }: Invitation): boolean {
  return resetsStaffId !== null && madeBy === madeBySelf
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
