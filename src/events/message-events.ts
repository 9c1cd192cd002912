import { Type } from 'typebox'

/** The fields of events about messages to players. Addresses are never in events. */
export const messageFields = {
  messageId: Type.String({
    format: 'uuid',
    description: 'The id of the message, also in its header `Message-ID`.',
    examples: ['0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a73'],
  }),
  kind: Type.Enum(['won', 'claim_ends', 'spins_waiting', 'spins_expire'], {
    description:
      '`won`: a prize was won; `claim_ends`: its last day is near; `spins_waiting`: there are spins to play; `spins_expire`: some expire soon.',
    examples: ['won'],
  }),
}

export const failedFields = {
  ...messageFields,
  reason: Type.String({
    description: 'The verdict on the last reply of the SMTP server (docs/mail.md).',
    examples: ['address_dead'],
  }),
}

export const messageTitles = {
  sent: 'The SMTP server has accepted a message to a player.',
  failed: 'A message to a player was given up. A message that is not needed any more causes no event.',
}
