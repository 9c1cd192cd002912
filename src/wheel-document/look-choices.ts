/** What a wheel's look may choose besides its theme. It imports nothing: the pages share it. */

/** `web/game/look/fonts.ts` loads them. `system` is the font of the player's device. */
export const fontNames = ['system', 'manrope', 'quicksand', 'fredoka', 'oswald', 'domine', 'podkova'] as const

/** `web/game/effects/sounds.ts` says how each sounds. With `none` the game is silent. */
export const soundNames = ['none', 'chimes', 'marimba', 'arcade', 'stadium', 'bells', 'soft'] as const

/** Du or Sie, tu or vous. */
export const addresses = ['informal', 'formal'] as const

export type FontName = (typeof fontNames)[number]
export type SoundName = (typeof soundNames)[number]
export type Address = (typeof addresses)[number]
