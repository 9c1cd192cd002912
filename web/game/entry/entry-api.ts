/** The requests of a visitor's page. As in api.ts, each returns the answer or a refusal, and none throws. */
import type {
  CodeAgain,
  Entered,
  EntryBody,
  EntryChallenge,
  EntryOutcome,
  EntryShown as ServerEntryShown,
} from '../../../src/http/answers/entry.ts'
import { readFields, type Refused, request, type Unavailable } from '../api.ts'

export type { Entered, EntryOutcome }
export type CodeSent = Extract<EntryOutcome, { outcome: 'code_sent' }>

export type EntryShown = Omit<ServerEntryShown, 'wheel'> & {
  wheel: Omit<ServerEntryShown['wheel'], 'unavailable'> & { unavailable: Unavailable[] }
}
export type Field = EntryShown['form']['fields'][number]
export type Answer = EntryBody['answers'][string]

/** What a solver needs of a challenge of ALTCHA. */
export type Challenge = Omit<EntryChallenge, 'parameters'> & {
  parameters: {
    algorithm: string
    nonce: string
    salt: string
    cost: number
    keyLength: number
    keyPrefix: string
    /** In seconds, by the server's clock. */
    expiresAt?: number
  }
}

/** The path of the campaign's entry, such as `acme/summer`. */
export const entryPath = pathOf(location.pathname)

function pathOf(pathname: string): string {
  const [, merchant = '', campaign = 'main'] = /\/play\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? []
  return `${merchant}/${campaign}`
}

export function loadEntry(language: string): Promise<EntryShown | Refused> {
  const query = new URLSearchParams({ language })
  return request(`entry/${entryPath}?${query}`, {}, (response) =>
    readFields<EntryShown>(response, ['state', 'wheel', 'form', 'terms']),
  )
}

export function askChallenge(): Promise<Challenge | Refused> {
  return send('challenges', {}, ['parameters'])
}

/** The same key and answers always have the same outcome. */
export function sendEntry(body: EntryBody, key: string): Promise<EntryOutcome | Refused> {
  return send<EntryOutcome>('entries', body, ['outcome'], { 'Idempotency-Key': key })
}

export function askCode(session: string): Promise<CodeAgain | Refused> {
  return send('codes', { session }, ['resendAt', 'expiresAt', 'attemptsLeft'])
}

export function sendCode(session: string, code: string): Promise<Entered | Refused> {
  return send('proof', { session, code }, ['token', 'pass'])
}

export function sendPass(pass: string): Promise<Entered | Refused> {
  return send('returns', { pass }, ['token', 'pass'])
}

function send<T>(
  what: string,
  body: object,
  names: (keyof T & string)[],
  headers: Record<string, string> = {},
): Promise<T | Refused> {
  return request(`entry/${entryPath}/${what}`, { body, headers }, (response) =>
    readFields<T>(response, names),
  )
}
