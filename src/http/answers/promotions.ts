import { type Static, Type } from 'typebox'
import type { WheelChange } from '../../wheel-document/compare-wheels.ts'
import { toldValue } from '../../wheel-document/describe-change.ts'
import type { Promotion } from '../../test-mode/promotion.ts'
import { changeText, noteCodes, notesOf } from '../../test-mode/promotion-text.ts'
import { FieldErrorSchema } from './shapes.ts'

const MaybeId = Type.Union([Type.String(), Type.Null()])

export const PromotionAnswer = Type.Object(
  {
    from: Type.String({ description: 'The test merchant.', examples: ['test-acme'] }),
    wheel: Type.String(),
    campaign: Type.Union(MaybeId.anyOf, { description: 'Null for a wheel alone.' }),
    publishes: Type.Boolean({
      description:
        'Whether the wheel is published too. If so, the differences are those from the version that players play, otherwise from the draft.',
    }),
    revision: Type.String({ description: 'Also the ETag. Send it as If-Match to promote.' }),
    changes: Type.Array(
      Type.Object(
        {
          path: Type.String({ examples: ['/wheel/segments/coffee/weight'] }),
          before: Type.Optional(Type.Unknown({ description: 'Missing if the field is new.' })),
          after: Type.Optional(Type.Unknown({ description: 'Missing if the field is removed.' })),
          text: Type.String({
            description: 'The same in words. Codes are masked.',
            examples: ['Segment "coffee", weight: 3 → 5'],
          }),
        },
        { title: 'PromotionChange' },
      ),
    ),
    stock: Type.Array(
      Type.Object({
        segment: Type.String(),
        stock: Type.Integer(),
        given: Type.Integer({ description: 'Units that the live merchant has given out.' }),
        isKept: Type.Boolean({
          description:
            'True if the live stock stays, false if the prize begins with that of the test merchant.',
        }),
      }),
    ),
    pools: Type.Array(
      Type.Object({
        pool: Type.String(),
        codesLeft: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Of the live pool; null if there is none. Codes are never copied.',
        }),
      }),
    ),
    notes: Type.Array(
      Type.Object({
        code: Type.Enum(noteCodes),
        about: Type.Union(MaybeId.anyOf, { description: 'Ids or a time, where the note has some.' }),
        text: Type.String(),
      }),
    ),
    problems: Type.Array(FieldErrorSchema, { description: 'Why the wheel could not be published.' }),
  },
  { title: 'Promotion' },
)
export type PromotionAnswer = Static<typeof PromotionAnswer>

export const PromotedAnswer = Type.Object(
  {
    wheel: Type.String(),
    campaign: MaybeId,
    changes: Type.Integer({ description: 'How many fields have changed.' }),
    version: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The version of the live wheel that was published, or null.',
    }),
  },
  { title: 'Promoted' },
)
export type PromotedAnswer = Static<typeof PromotedAnswer>

export function shownPromotion(
  promotion: Promotion,
  { now, seesCodes }: { now: Date; seesCodes: boolean },
): PromotionAnswer {
  const { from, publishes, revision, wheel, campaign, changes } = promotion
  return {
    from,
    wheel: wheel.slug,
    campaign: campaign?.slug ?? null,
    publishes,
    revision,
    changes: changes.map((change) => ({
      ...(seesCodes ? change : masked(change)),
      text: changeText(change),
    })),
    stock: wheel.stock,
    pools: wheel.pools,
    notes: notesOf(promotion, now),
    problems: wheel.problems,
  }
}

function masked({ path, before, after }: WheelChange): WheelChange {
  return { path, before: toldValue(path, before), after: toldValue(path, after) }
}
