import { type TOptional, type TSchema, type TUnion, type TNull, type TUnsafe, Type } from 'typebox'
import {
  type PrizeField,
  prizeFieldNames,
  prizeFields,
  type PrizeValues,
  settledFields,
  type SettledField,
  type WonField,
  wonFields,
} from './prize-kinds.ts'

type Optional<F extends PrizeField> = { [K in F]: TOptional<TUnsafe<PrizeValues[K]>> }
type Nullable<F extends PrizeField> = { [K in F]: TUnion<[TUnsafe<PrizeValues[K]>, TNull]> }

/** The fields of a prize in the wheel document. */
export const documentFieldSchemas = schemasOf(prizeFieldNames, (field) =>
  Type.Optional(Type.Unsafe(prizeFields[field].schema)),
) as Optional<PrizeField>

/** What was won, in an event: only the fields that the prize has. */
export const eventFieldSchemas = {
  ...(schemasOf(wonFields, (field) => Type.Optional(wonSchema(field))) as Optional<WonField>),
  number: Type.Optional(
    Type.String({
      description: 'What the player shows at the till. Only prizes that are handed over have a number.',
      examples: ['6GX4R-2K9QD'],
    }),
  ),
}

/** What was won, in an answer: null for the fields that the prize does not have. */
export const wonFieldSchemas = schemasOf(wonFields, orNull) as Nullable<WonField>
export const settledFieldSchemas = schemasOf(settledFields, orNull) as Nullable<SettledField>

function schemasOf<F extends PrizeField>(fields: readonly F[], make: (field: F) => TSchema) {
  return Object.fromEntries(fields.map((field) => [field, make(field)]))
}

function orNull(field: WonField): TSchema {
  return Type.Union([wonSchema(field), Type.Null()])
}

function wonSchema(field: WonField): TSchema {
  const { schema, won } = prizeFields[field]
  const minimum = 'minimum' in schema ? { minimum: schema.minimum } : {}
  return Type.Unsafe({
    type: schema.type,
    ...minimum,
    description: won.description,
    examples: [won.example],
  })
}
