import {
  type PrizeField,
  type PrizeKind,
  prizeKindNames,
  prizeKinds,
  settledPrizeKinds,
} from '../prize-kinds/prize-kinds.ts'

/** Kinds of prizes as a list in SQL, for `kind in (…)`. They are constants, so they are part of the statement. */
const listed = (kinds: readonly PrizeKind[]): string => kinds.map((kind) => `'${kind}'`).join(', ')

export const settledKindsSql = listed(settledPrizeKinds)

export function kindsWithFieldSql(field: PrizeField): string {
  return listed(prizeKindNames.filter((kind) => prizeKinds[kind].field === field))
}
