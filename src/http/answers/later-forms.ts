import { type Static, Type } from 'typebox'
import { Answers, Language, ShownField } from './entry.ts'
import { PlayBody } from './shapes.ts'

/** The forms after the entry: what a page that shows a prize sends and gets. */

const session = PlayBody.properties.session

export const LaterFormsBody = Type.Object({ session, language: Language })

export const LaterFormsAnswer = Type.Object(
  {
    formVersion: Type.Integer({ description: 'Send it back with the answers.' }),
    afterWin: Type.Array(ShownField, {
      description: 'What is asked after a win. Empty if nothing is, or once it was answered.',
    }),
    toClaim: Type.Array(ShownField, { description: 'What is asked of somebody who claims a prize.' }),
  },
  { title: 'LaterForms' },
)
export type LaterFormsAnswer = Static<typeof LaterFormsAnswer>

export const LaterAnswersBody = Type.Object({
  session,
  formVersion: Type.Integer({ minimum: 0 }),
  language: Language,
  answers: Answers,
})
export type LaterAnswersBody = Static<typeof LaterAnswersBody>

export const ClaimBody = Type.Object({
  ...LaterAnswersBody.properties,
  playId: PlayBody.properties.playId,
})
export type ClaimBody = Static<typeof ClaimBody>

export const ClaimAnswer = Type.Object(
  { playId: Type.String(), state: Type.Literal('claimed') },
  { title: 'Claimed' },
)
