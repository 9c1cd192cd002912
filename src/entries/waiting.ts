import { sessionPlace } from './codes.ts'
import type { EntrySession } from './entry-sessions.ts'
import type { EntryAnswer } from './form.ts'
import type { GivenConsent } from './read-answers.ts'
import { unseal } from './seal.ts'

/** What a session keeps until the code is typed. */
export type Waiting = {
  fold: string
  /** As it was typed: mail goes there. */
  address: string
  answers: Record<string, EntryAnswer>
  consents: readonly GivenConsent[]
  timeZone?: string | undefined
}

/** What was typed, as it waits in a session. */
export function readWaiting(session: EntrySession, key: { keyId: string; secret: Buffer }): Waiting {
  return JSON.parse(unseal(session, sessionPlace(session.sessionId), key)) as Waiting
}
