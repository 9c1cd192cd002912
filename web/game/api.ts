/** The page's requests to the server. Each returns the answer or a refusal with the server's code; none throws. */
import type { FallbackReason } from '../../src/fairness/fallback-reasons.ts'
import type { RunEntry } from '../../src/fairness/award-chain.ts'
import type { Gate } from '../../src/fairness/verify-gates.ts'
import type { PlayBody } from '../../src/http/answers/shapes.ts'
import type { PlayAnswer as ServerPlayAnswer } from '../../src/http/answers/game-plays.ts'
import type { GameSessionAnswer, LobbyAnswer } from '../../src/http/answers/game-session.ts'
import type { PublicPrizeKind } from '../../src/prize-kinds/prize-kinds.ts'

/** An answer of the server, where the page knows some fields more exactly. It can't have other fields. */
type Exactly<
  Answer,
  Own extends { [Name in keyof Own]: Name extends keyof Answer ? Answer[Name] : never },
> = Omit<Answer, keyof Own> & Own

type ServerPlay = GameSessionAnswer['wins'][number]

export type Play = Exactly<
  ServerPlay,
  {
    fallbackReason: FallbackReason | null
    prize: Exactly<ServerPlay['prize'], { kind: PublicPrizeKind }>
    proof: Omit<ServerPlay['proof'], 'gates'> & { gates?: Gate[] }
  }
>

/** A segment that can't be won now. */
export type Unavailable = Exactly<
  GameSessionAnswer['wheel']['unavailable'][number],
  { reason: Exclude<FallbackReason, 'not_released'> }
>

export type SettledWin = GameSessionAnswer['settledWins'][number]

/** The console's preview leaves some fields out. */
type NotInPreview = 'spinsExpire' | 'free' | 'campaign' | 'playerId'

export type Session = Exactly<
  Omit<GameSessionAnswer, NotInPreview | 'expiresAt'>,
  {
    wheel: Exactly<GameSessionAnswer['wheel'], { unavailable: Unavailable[] }>
    lastPlay: Play | null
    wins: Play[]
  }
> &
  Partial<Pick<GameSessionAnswer, NotInPreview>> & {
    /** The server's clock where known, since the player's may be years off. */
    answeredAt: Date
    /** Whether the game is one of a test merchant. */
    isTest?: boolean
  }

export type { PlayBody }
export type PlayRequest = Omit<PlayBody, 'session'>

/** A request whose seed has left this page. `isChanged`: its commitment was replaced although nothing was played. */
export type SentSeed = PlayRequest & { playNumber: number; isRefused: boolean; isChanged: boolean }

export type PlayAnswer = Exactly<ServerPlayAnswer, { play: Play }>

/**
 * `offline` and `down` are the page's own codes, for no answer and for a broken answer. `isPassing`: the same request
 * may succeed later.
 */
export type Refused = { code: string; isPassing: boolean; waitMs: number; problem?: Problem }

/** What else the server says about a refusal. */
type Problem = { errors?: { pointer: string }[]; attemptsLeft?: number }

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
export type LobbyCard = LobbyAnswer['campaigns'][number]

export function loadLobby(
  token: string,
  { session }: Session,
): Promise<{ campaigns: LobbyCard[] } | Refused> {
  return ask('lobby', { token, session }, (response) => readFields(response, ['campaigns']))
}

export function loadWalletToken(token: string): Promise<{ token: string } | Refused> {
  return ask('wallet', { token }, (response) => readFields(response, ['token']))
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
  return request(`game/${path}`, { body }, read, early)
}

/** `data-root`: how a page that is no game link gets to the root of the server. */
export async function request<T>(
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> },
  read: (response: Response) => Promise<T>,
  early?: Promise<Response>,
): Promise<T | Refused> {
  try {
    const response = await (early ??
      fetch(`${document.documentElement.dataset.root ?? '../'}api/v1/${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json', ...headers },
        signal: AbortSignal.timeout(attemptTimeoutMs),
      }))
    return response.ok ? await read(response) : await refusal(response)
  } catch {
    // No connection, or not our server's whole answer. We don't know what the server did, and a retry is safe.
    return { code: 'offline', isPassing: true, waitMs: 0 }
  }
}

/** Something else than our server may answer, such as the sign-in page of a hotel's network. */
export async function readFields<T>(response: Response, names: (keyof T & string)[]): Promise<T> {
  const answer: unknown = await response.json()
  const isOurs = typeof answer === 'object' && answer !== null && names.every((name) => name in answer)
  if (!isOurs) throw new Error('this is not the answer of the server')
  return answer as T
}

async function refusal(response: Response): Promise<Refused> {
  const waitMs = Number(response.headers.get('Retry-After') ?? 0) * 1000 || 0
  if (response.status >= 500) return { code: 'down', isPassing: true, waitMs }
  // A response that is not a problem document comes from a proxy between us and the server.
  const problem = (await response.json().catch(() => null)) as (Problem & { code?: unknown }) | null
  const code = typeof problem?.code === 'string' ? problem.code : 'down'
  return { code, isPassing: response.status === 429 || code === 'down', waitMs, problem: problem ?? {} }
}
