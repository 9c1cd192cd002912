import { Type } from 'typebox'
import { nullable } from './shapes.ts'
import { hashPattern } from './patterns.ts'

const Hex = Type.String({ pattern: hashPattern })
const Moment = Type.Integer({ description: 'Milliseconds since 1970.' })

export const RunName = Type.Object({ commitment: Hex })

export const RunQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: 'The `next` of the page before.' }),
  ),
})

export const RunAnswer = Type.Object(
  {
    run: Type.Integer({ minimum: 1 }),
    commitment: Type.String({ description: 'SHA-256 of the key, as published.' }),
    units: Type.Integer({ description: 'How many units are released in all. Cents, for a budget.' }),
    spans: Type.Array(Type.Array(Moment, { minItems: 2, maxItems: 2 }), {
      description: 'The active time: pairs of start and end.',
    }),
    lastCallMs: Type.Integer(),
    endsAt: Type.String({ format: 'date-time' }),
    endedAt: nullable(
      Type.String({ format: 'date-time', description: 'When another version ended it early.' }),
    ),
    key: nullable(Type.String({ description: 'The key, in hex. Null before the end.' })),
    head: nullable(Type.String({ description: 'The hash over all entries. Null before the end.' })),
    entries: Type.Array(
      Type.Object(
        {
          kind: Type.Enum(['award', 'return']),
          unit: Type.Integer({ description: 'The running total of its kind.' }),
          at: Moment,
          play: Type.String({ description: 'SHA-256 of the id of the play, in hex.' }),
        },
        { title: 'RunEntry' },
      ),
    ),
    next: nullable(Type.Integer({ description: 'Where the next page begins.' })),
  },
  { title: 'PaceRun' },
)
