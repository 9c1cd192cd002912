/** The page's requests to the server. Each returns the answer or a refusal with the server's code; none throws. */
import type { FallbackReason } from '../../src/fairness/fallback-reasons.ts'
import type { RunEntry } from '../../src/fairness/award-chain.ts'
import type { Gate } from '../../src/fairness/verify-gates.ts'
import type { PublicPrizeKind, WonValues } from '../../src/prize-kinds.ts'
import type { Translations } from './published.ts'

export type Play = {
  playId: string
  playNumber: number
  playedAt: string
  segment: number
  label: string
  won: boolean
  fallbackReason: FallbackReason | null
  prize: WonValues & {
    kind: PublicPrizeKind
    title: string | null
    instructions: string | null
    claimBefore: string | null
    translations?: Translations
  }
  proof: {
    serverSeed: string
    commitment: string
    playerSeed: string
    playNumber: number
    versionHash: string
    ticket: number
    weightTotal: number
    drawn: number
    gates?: Gate[]
    forced?: true
  }
}

/** A segment that can't be won now. `until`: when it can be won again, if that is known. */
export type Unavailable = {
  segment: number
  reason: Exclude<FallbackReason, 'not_released'>
  until: string | null
}

export type SettledWin = { playNumber: number; state: 'redeemed' | 'cancelled' | 'expired' }

export type Session = {
  session: string
  spinCount: number
  /** The spins among them that expire, in the order of their use. The console's preview has none. */
  spinsExpire?: { spins: number; expiresAt: string }[]
  /** Free spins that come back; null if there are none. The console's preview has none. */
  free?: {
    /** `day`, `week` or a duration. */
    every: string
    /** Those that the next spin collects. They are not in `spinCount`. */
    available: number
    next: string | null
    nextSpins: number
    streak: { length: number; milestones: { length: number; spins: number }[] }
  } | null
  wheel: {
    state: 'open' | 'paused' | 'closed'
    opensAt: string | null
    closesAt: string | null
    /** When an open wheel closes, for a while or for good. */
    openUntil: string | null
    hash: string
    published: string
    unavailable: Unavailable[]
  }
  next: { playNumber: number; commitment: string }
  lastPlay: Play | null
  wins: Play[]
  /** Those that the player can no longer use. */
  settledWins: SettledWin[]
  /** The console's preview has none. */
  campaign?: { campaign: string; hasLobby: boolean }
  parentOrigins: string[]
  framePass: string
  /** The server's clock where known, since the player's may be years off. */
  answeredAt: Date
  /** Whether the game is one of a test merchant. */
  isTest?: boolean
}

export type PlayBody = {
  session: string
  playId: string
  playerSeed: string
  commitment: string
  versionHash: string
}
export type PlayRequest = Omit<PlayBody, 'session'>

/** A request whose seed has left this page. `isChanged`: its commitment was replaced although nothing was played. */
export type SentSeed = PlayRequest & { playNumber: number; isRefused: boolean; isChanged: boolean }

export type PlayAnswer = Pick<Session, 'spinCount' | 'spinsExpire' | 'free' | 'next'> & { play: Play }

/**
 * `offline` and `down` are the page's own codes, for no answer and for a broken answer. `isPassing`: the same request
 * may succeed later.
 */
export type Refused = { code: string; isPassing: boolean; waitMs: number }

export function isRefused(answer: object): answer is Refused {
  return 'isPassing' in answer
}

const attemptTimeoutMs = 10_000

/**
 * `earlier`: the session that the page already has. Then the server counts no further opening of the link, and opens
 * the same campaign.
 */
export function openSession(token: string, earlier?: Session): Promise<Session | Refused> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const body = { token, session: earlier?.session, campaign: earlier?.campaign?.campaign, timeZone }
  const read = async (response: Response) => ({
    ...(await readFields<Session>(response, ['session', 'spinCount', 'wheel', 'next', 'wins'])),
    answeredAt: new Date(
      response.headers.get('Wheelhouse-Time') ?? response.headers.get('Date') ?? Date.now(),
    ),
    isTest: response.headers.get('Wheelhouse-Mode') === 'test',
  })
  const early = window.earlySession
  delete window.earlySession
  return ask('session', body, read, early)
}

declare global {
  interface Window {
    /** The first answer, which index.html has requested already. */
    earlySession?: Promise<Response> | undefined
  }
}

/** A campaign that the link can open. */
export type LobbyCard = {
  campaign: string
  name: string
  texts: Translations
  state: 'open' | 'paused' | 'closed'
  /** With free spins that are not collected yet. */
  spinCount: number
  opensAt: string | null
  wheel: { segments: { color: string }[] }
}

export function loadLobby(
  token: string,
  { session }: Session,
): Promise<{ campaigns: LobbyCard[] } | Refused> {
  return ask('lobby', { token, session }, (response) => readFields(response, ['campaigns']))
}

export function sendPlay(body: PlayBody): Promise<PlayAnswer | Refused> {
  return ask('plays', body, (response) => readFields<PlayAnswer>(response, ['play', 'spinCount', 'next']))
}

export function loadVersion(hash: string): Promise<{ published: string } | Refused> {
  return ask(`versions/${hash}`, undefined, async (response) => {
    if (response.headers.get('Content-Type')?.includes('json') !== true)
      throw new Error('this is not a wheel')
    return { published: await response.text() }
  })
}

/** A run as the server shows it. Before its end there is no key and no list. */
type ShownRun = { key: string | null; head: string | null; entries: RunEntry[]; next: number | null }

export function loadRun(commitment: string, after: number): Promise<ShownRun | Refused> {
  const path = `runs/${commitment}?after=${after}`
  return ask(path, undefined, async (response) => (await response.json()) as ShownRun)
}

/** In the console's preview, the page answers its own requests. */
type Answerer = (path: string, body: unknown) => object
let local: Answerer | undefined

export function answerLocally(answerer: Answerer): void {
  local = answerer
}

async function ask<T>(
  path: string,
  body: unknown,
  read: (response: Response) => Promise<T>,
  early?: Promise<Response>,
): Promise<T | Refused> {
  if (local !== undefined) return local(path, body) as T
  try {
    const response = await (early ??
      fetch(`../api/v1/game/${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(attemptTimeoutMs),
      }))
    return response.ok ? await read(response) : await refusal(response)
  } catch {
    // No connection, or not our server's whole answer. We don't know what the server did, and a retry is safe.
    return { code: 'offline', isPassing: true, waitMs: 0 }
  }
}

/** Something else than our server may answer, such as the sign-in page of a hotel's network. */
async function readFields<T>(response: Response, names: (keyof T & string)[]): Promise<T> {
  const answer: unknown = await response.json()
  const isOurs = typeof answer === 'object' && answer !== null && names.every((name) => name in answer)
  if (!isOurs) throw new Error('this is not the answer of the server')
  return answer as T
}

async function refusal(response: Response): Promise<Refused> {
  const waitMs = Number(response.headers.get('Retry-After') ?? 0) * 1000 || 0
  if (response.status >= 500) return { code: 'down', isPassing: true, waitMs }
  // A response that is not a problem document comes from a proxy between us and the server.
  const problem = (await response.json().catch(() => null)) as { code?: unknown } | null
  const code = typeof problem?.code === 'string' ? problem.code : 'down'
  return { code, isPassing: response.status === 429 || code === 'down', waitMs }
}
