/** What a person is at a merchant. Pure: what each may do stands here and nowhere else. */
export const roles = ['owner', 'editor', 'support', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Areas of the API, by the tags of its operations. What is in no list is the owner's alone. */
const supportAreas = ['Merchant', 'Players', 'Links', 'Grants', 'Plays', 'Prizes']
const editorAreas = [...supportAreas, 'Wheels', 'Codes', 'Reports', 'Events', 'Webhooks']

/** Everyone may look; a change needs the role for it. */
export function mayUse(role: Role, wish: { areas: readonly string[]; isChange: boolean }): boolean {
  if (!wish.isChange || role === 'owner') return true
  const own: readonly string[] = { editor: editorAreas, support: supportAreas, viewer: [] }[role]
  return wish.areas.length > 0 && wish.areas.every((area) => own.includes(area))
}

/** Staff, tokens and the merchant's settings are the owner's. */
export function mayAdminister(role: Role): boolean {
  return role === 'owner'
}
