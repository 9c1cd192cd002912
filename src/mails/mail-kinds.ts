/** About prizes. They come before marketing, and need no consent. */
export const prizeKinds = ['won', 'claim_ends'] as const
/** Only to those who agreed, by day, with a way out in every mail. */
export const marketingKinds = ['spins_waiting', 'spins_expire'] as const
export type MarketingKind = (typeof marketingKinds)[number]
/** To staff who chose it. These are few, so neither the limit for an hour nor a stop of messages holds them up. */
export const staffKinds = ['staff_alert'] as const
type StaffKind = (typeof staffKinds)[number]
export type PlayerKind = (typeof prizeKinds)[number] | MarketingKind
export type MailKind = PlayerKind | StaffKind

export function isMarketing(kind: MailKind): kind is MarketingKind {
  return (marketingKinds as readonly string[]).includes(kind)
}

export function isForStaff(kind: MailKind): kind is StaffKind {
  return (staffKinds as readonly string[]).includes(kind)
}

/** How long a mail is of use. A reminder is until its date. */
export const wonLifeSeconds = 48 * 60 * 60
/** The part of a merchant's limit for an hour that marketing leaves to prizes. */
export const prizeShare = 0.25

/** After temporary refusals, as long as the mail is of use. */
export const mailRetryPausesSeconds = [1, 5, 15, 60, 4 * 60, 12 * 60, 24 * 60].map((minutes) => minutes * 60)
export const mailRetrySpread = 0.2

/** Longer than the longest send: ten minutes for the reply to the final dot (RFC 5321, 4.5.3.2.6). */
export const sendingLeaseMs = 15 * 60_000
export const sendingRenewMs = 5 * 60_000
/** So many recipients in a row whose mail is refused as ours: one alone could be a strict filter, or a prank. */
export const refusedRecipientsMax = 3
/** How long nothing is sent after the server has refused us. */
export const mailPauseMs = 15 * 60_000

export const mailsAtOnceMax = 20
/** After so many a merchant lets others have its turn. */
export const mailsPerTurnMax = 100
export const merchantsMailingMax = 16
export const mailClaimMs = 1_000
export const mailTidyMs = 60 * 60_000
export const mailsKeptDays = 365
/** Those that were not sent: many of them, if most players have no address. */
export const droppedMailsKeptDays = 30
/** Events that are read at once to plan from. */
export const mailEventsReadMax = 500
/** To one member of the staff. */
export const testMessagesPerHourMax = 20
