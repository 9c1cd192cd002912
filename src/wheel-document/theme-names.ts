/**
 * The themes that a wheel's look may name. `web/game/look/themes.ts` says how each looks. It imports nothing: the pages
 * share it.
 */
export const themeNames = [
  'dark',
  'light',
  'cafe',
  'corporate',
  'playful',
  'minimal',
  'sport',
  'spring',
  'summer',
  'autumn',
  'winter',
] as const

export type ThemeName = (typeof themeNames)[number]

export function isThemeName(name: string): name is ThemeName {
  return (themeNames as readonly string[]).includes(name)
}
