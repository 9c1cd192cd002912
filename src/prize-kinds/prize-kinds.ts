import { spinNumberCeiling } from '../limits.ts'
import { slugPattern } from '../slug.ts'
import { prizeCodePattern, prizeLinkPattern } from '../text-patterns.ts'

/**
 * Every kind of prize, in the order of the editor's list, and every field that a prize can have. Schemas, checks,
 * queries, answers, events and the editor are made from these two tables. Pages share this file.
 *
 * - `field`: the field that a prize of this kind needs, and that no other may have.
 * - `publicKind`: the kind as players see it. A player does not care where a code comes from.
 * - `isSettled`: whether the prize is claimed, redeemed or cancelled after the play. Spins are given at once.
 * - `means`: the kind in the API's document.
 */
export const prizeKinds = {
  none: { field: undefined, publicKind: 'none', isSettled: false, means: 'none' },
  spins: { field: 'spins', publicKind: 'spins', isSettled: false, means: 'spins' },
  pool: { field: 'pool', publicKind: 'code', isSettled: true, means: 'a code from a pool' },
  fixed: { field: 'code', publicKind: 'code', isSettled: true, means: 'one fixed code' },
  link: { field: 'url', publicKind: 'link', isSettled: true, means: 'a link' },
  points: { field: 'points', publicKind: 'points', isSettled: true, means: 'loyalty points' },
  handover: {
    field: undefined,
    publicKind: 'handover',
    isSettled: true,
    means: 'something that the merchant hands over',
  },
} as const satisfies Record<string, Kind>

type Kind = { field: PrizeField | undefined; publicKind: string; isSettled: boolean; means: string }

/**
 * - `schema`: the value in the wheel document, as JSON Schema.
 * - `won`: the value as a winner gets it, with an example; undefined if only the merchant sees it.
 * - `isSecret`: whether the value is enough to redeem the prize. Not every role may see it.
 * - `input`: the input in the console's editor.
 */
export const prizeFields = {
  spins: {
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: spinNumberCeiling,
      description: 'How many, for spins.',
    },
    won: { description: 'How many spins were won.', example: 5 },
    isSecret: false,
    input: 'number',
  },
  pool: {
    schema: { type: 'string', pattern: slugPattern, description: 'The code pool, for pool.' },
    won: undefined,
    isSecret: false,
    input: 'pool',
  },
  code: {
    schema: {
      type: 'string',
      pattern: prizeCodePattern,
      minLength: 1,
      maxLength: 200,
      description: 'The code, for fixed, without a space at either end.',
    },
    won: { description: 'The code: from a pool, or the fixed code of the wheel.', example: 'CAFE-7Q2X' },
    isSecret: true,
    input: 'text',
  },
  url: {
    schema: {
      type: 'string',
      maxLength: 2_000,
      pattern: prizeLinkPattern,
      description: 'The address, for link: https, without a user name.',
    },
    won: { description: 'The address that the player is sent to.', example: 'https://shop.example/win' },
    isSecret: true,
    input: 'url',
  },
  points: {
    schema: { type: 'integer', minimum: 1, maximum: 1_000_000_000, description: 'How many, for points.' },
    won: { description: 'How many loyalty points were won.', example: 500 },
    isSecret: false,
    input: 'number',
  },
} as const satisfies Record<string, Field>

type Field = {
  schema: { type: 'integer' | 'string'; description: string } & Record<string, unknown>
  won: { description: string; example: unknown } | undefined
  isSecret: boolean
  input: 'number' | 'pool' | 'text' | 'url'
}

export type PrizeKind = keyof typeof prizeKinds
export type PublicPrizeKind = (typeof prizeKinds)[PrizeKind]['publicKind']
type SettledKind = {
  [K in PrizeKind]: (typeof prizeKinds)[K]['isSettled'] extends true ? K : never
}[PrizeKind]

export type PrizeField = keyof typeof prizeFields
export type PrizeValues = {
  [F in PrizeField]: (typeof prizeFields)[F]['schema']['type'] extends 'integer' ? number : string
}
/** The fields whose value a winner gets. */
export type WonField = {
  [F in PrizeField]: (typeof prizeFields)[F]['won'] extends object ? F : never
}[PrizeField]
/** Those of prizes that are settled. */
export type SettledField = Extract<(typeof prizeKinds)[SettledKind]['field'], WonField>
type WonValues = { [F in WonField]: PrizeValues[F] | null }
export type SettledValues = Pick<WonValues, SettledField>

export const prizeKindNames = Object.keys(prizeKinds) as PrizeKind[]
export const settledPrizeKinds = prizeKindNames.filter((kind) => prizeKinds[kind].isSettled)

export function isSettledKind(kind: string): boolean {
  return (settledPrizeKinds as readonly string[]).includes(kind)
}

export const prizeFieldNames = Object.keys(prizeFields) as PrizeField[]
export const wonFields = prizeFieldNames.filter(
  (field): field is WonField => prizeFields[field].won !== undefined,
)
export const settledFields = wonFields.filter((field): field is SettledField =>
  settledPrizeKinds.some((kind) => prizeKinds[kind].field === field),
)

/** Whether this field of a prize is enough to redeem it. */
export function isSecretField(name: string): boolean {
  return prizeFieldNames.some((field) => field === name && prizeFields[field].isSecret)
}

/** The values that a winner gets. `poolCode` is the code that the play took from a pool. */
export function wonValues(
  prize: Partial<PrizeValues>,
  poolCode: string | null,
): Partial<Pick<PrizeValues, WonField>> {
  const values: Partial<PrizeValues> = poolCode === null ? prize : { ...prize, code: poolCode }
  const won = wonFields.flatMap((field) => (values[field] === undefined ? [] : [[field, values[field]]]))
  return Object.fromEntries(won)
}

/** Those of them that are not enough to redeem the prize. */
export function openValues(prize: Partial<PrizeValues>): Partial<Pick<PrizeValues, WonField>> {
  const open = Object.entries(wonValues(prize, null)).filter(([field]) => !isSecretField(field))
  return Object.fromEntries(open)
}

/** A prize without any value, for answers that name every field. */
export const noValues = Object.fromEntries(wonFields.map((field) => [field, null])) as {
  [F in WonField]: null
}
