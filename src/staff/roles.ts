import { staffDailyGrantCeiling } from '../limits.ts'

/** What a person is at a merchant. Pure: what each may do stands here and nowhere else. */
export const roles = ['owner', 'editor', 'support', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Areas of the API, by the tags of its operations. What is in no list is the owner's alone. */
const supportAreas = ['Players', 'Links', 'Plays', 'Prizes']
const editorAreas = [...supportAreas, 'Wheels', 'Codes', 'Reports', 'Events', 'Webhooks']

/** Everyone may look at most things; a change needs the role for it. */
export function mayUse(role: Role, wish: { areas: readonly string[]; isChange: boolean }): boolean {
  if (!wish.isChange || role === 'owner') return true
  const own: readonly string[] = { editor: editorAreas, support: supportAreas, viewer: [] }[role]
  return wish.areas.length > 0 && wish.areas.every((area) => own.includes(area))
}

/** What not everyone may read: codes that were won, all that is known of one player, and everything of a kind. */
export type StaffReading = 'codes' | 'personal data' | 'exports'

export function mayRead(role: Role, reading: StaffReading): boolean {
  if (reading === 'exports') return role === 'owner' || role === 'editor'
  return role !== 'viewer'
}

/** Staff, tokens and the merchant's settings are the owner's. */
export function mayAdminister(role: Role): boolean {
  return role === 'owner'
}

/** How many spins a person may give on one day of the merchant. */
export function dailyGrantMaxOf(role: Role, settings: { supportDailyGrantMax: number }): number {
  return role === 'owner' || role === 'editor' ? staffDailyGrantCeiling : settings.supportDailyGrantMax
}
