import { staffDailyGrantCeiling } from '../limits.ts'

/** The roles of a person at a merchant. This file alone defines what each role may do. */
export const roles = ['owner', 'editor', 'support', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Areas of the API, by the tags of the operations. Areas in no list are for owners only. */
const supportAreas = ['Players', 'Links', 'Plays', 'Prizes']
const editorAreas = [
  ...supportAreas,
  'Campaigns',
  'Link lists',
  'Messages',
  'Wheels',
  'Codes',
  'Reports',
  'Events',
  'Webhooks',
  'Test mode',
]

/** Everyone may read most things; a change needs a role. */
export function mayUse(role: Role, wish: { areas: readonly string[]; isChange: boolean }): boolean {
  if (!wish.isChange || role === 'owner') return true
  const own: readonly string[] = { editor: editorAreas, support: supportAreas, viewer: [] }[role]
  return wish.areas.length > 0 && wish.areas.every((area) => own.includes(area))
}

/** Data that not everyone may read: codes that were won, all data about one player, and exports. */
export type StaffReading = 'codes' | 'personal data' | 'exports'

export function mayRead(role: Role, reading: StaffReading): boolean {
  if (reading === 'exports') return role === 'owner' || role === 'editor'
  return role !== 'viewer'
}

/** People who redeem at a till can't take a redemption back. */
export function mayReverseRedemptions(role: Role): boolean {
  return role === 'owner' || role === 'editor'
}

/** People who hand prizes out at a till don't decide which of them are given. */
export function mayDecideHolds(role: Role): boolean {
  return role === 'owner' || role === 'editor'
}

/** A new player may have free spins. A person with a daily limit can't get more of them with invented players. */
export function mayInventPlayers(role: Role): boolean {
  return role === 'owner' || role === 'editor'
}

/** Erasure is permanent. */
export function mayErasePlayers(role: Role): boolean {
  return role === 'owner' || role === 'editor'
}

/** Staff, tokens and the merchant's settings are for owners only. */
export function mayAdminister(role: Role): boolean {
  return role === 'owner'
}

/** The spins that a person may give in one day, in the merchant's time zone. */
export function dailyGrantMaxOf(role: Role, settings: { supportDailyGrantMax: number }): number {
  return role === 'owner' || role === 'editor' ? staffDailyGrantCeiling : settings.supportDailyGrantMax
}
