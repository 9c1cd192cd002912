/** The requests of the forms after the entry. As in api.ts, each returns the answer or a refusal, and none throws. */
import type { ClaimBody, LaterAnswersBody, LaterFormsAnswer } from '../../../src/http/answers/later-forms.ts'
import { readFields, type Refused, request } from '../api.ts'

export type LaterForms = LaterFormsAnswer

export function loadForms(session: string): Promise<LaterForms | Refused> {
  const { lang: language } = document.documentElement
  return request('game/forms', { body: { session, language } }, (response) =>
    readFields<LaterForms>(response, ['formVersion', 'afterWin', 'toClaim']),
  )
}

/** A repeat claims nothing twice. */
export function sendClaim(body: ClaimBody): Promise<{ state: 'claimed' } | Refused> {
  return request('game/claims', { body }, (response) => readFields(response, ['state']))
}

export function sendAnswers(body: LaterAnswersBody): Promise<object | Refused> {
  return request('game/answers', { body }, (response) => readFields(response, []))
}
