/**
 * Every kind of prize, in the order of the editor's list. The schemas, the checks, the queries and the console's list are made
 * from this table. It imports nothing, because the pages share it.
 *
 * - `field`: the field that a prize of this kind needs, and that no other may have. Its value is what a winner gets.
 * - `publicKind`: the kind as players see it. A player does not care where a code comes from.
 * - `isSettled`: whether the prize is claimed, redeemed or cancelled after the play. Spins are given at once.
 */
export const prizeKinds = {
  none: { field: undefined, publicKind: 'none', isSettled: false },
  spins: { field: 'spins', publicKind: 'spins', isSettled: false },
  pool: { field: 'pool', publicKind: 'code', isSettled: true },
  fixed: { field: 'code', publicKind: 'code', isSettled: true },
  link: { field: 'url', publicKind: 'link', isSettled: true },
  handover: { field: undefined, publicKind: 'handover', isSettled: true },
} as const satisfies Record<string, { field: string | undefined; publicKind: string; isSettled: boolean }>

export type PrizeKind = keyof typeof prizeKinds
export type PublicPrizeKind = (typeof prizeKinds)[PrizeKind]['publicKind']
export type PrizeField = NonNullable<(typeof prizeKinds)[PrizeKind]['field']>

export const prizeKindNames = Object.keys(prizeKinds) as PrizeKind[]

export const settledPrizeKinds = prizeKindNames.filter((kind) => prizeKinds[kind].isSettled)

export function isSettledKind(kind: string): boolean {
  return (settledPrizeKinds as readonly string[]).includes(kind)
}

export const prizeFields: readonly PrizeField[] = [
  ...new Set(prizeKindNames.flatMap((kind) => prizeKinds[kind].field ?? [])),
]
