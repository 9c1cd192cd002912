// Fixtures for the tests of the management API: a merchant with a function for every kind of call.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import type { Merchant } from '../../src/merchants/merchants.ts'
import type { Scope } from '../../src/merchants/scopes.ts'
import {
  defaultWheel,
  type WheelDocument,
  type WheelSegment,
} from '../../src/wheel-document/wheel-document.ts'
import { publishWheel, saveDraft } from '../../src/wheels/wheels.ts'
import { type Answer, makeMerchant, post, type Server, until } from './scene.ts'

export type Reply = { status: number; headers: Headers; body: any; text: string }

/** Calls the API and reads the response, whatever its content type. */
export async function callApi(
  server: Pick<Server, 'url'>,
  token: string | undefined,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: token }),
      ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined
      ? {}
      : { body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
  })
  const text = await response.text()
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : undefined,
    text,
  }
}

/** Like a merchant's server: repeats a request unchanged if it may succeed later. Tests run on busy machines. */
async function postUntilAnswered(...request: Parameters<typeof post>): Promise<Answer> {
  const answer = await post(...request)
  return answer.body.retryable === true ? postUntilAnswered(...request) : answer
}

export type ManagementApi = {
  merchant: Merchant
  token: string
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
  /** Grants spins to a player. */
  grant: (playerId: string, spinNumber: number, key?: string) => Promise<void>
  publish: (draft: WheelDocument) => Promise<void>
  /** Opens a link and plays once; returns the play as the player sees it. */
  play: (playerId: string, playId?: string) => Promise<any>
  /** Plays once in a session. */
  spin: (session: any, playId?: string) => Promise<any>
}

/** A merchant with a token for all scopes. */
export async function makeManagementApi(
  server: Server,
  options: { scopes?: Scope[] } = {},
): Promise<ManagementApi> {
  const { merchant, token } = await makeMerchant(server.ctx.db, options)
  const { merchantId } = merchant
  const spin: ManagementApi['spin'] = async (session, playId = randomUUID()) => {
    const played = await postUntilAnswered(`${server.url}/api/v1/game/plays`, undefined, {
      session: session.session,
      playId,
      playerSeed: randomBytes(32).toString('hex'),
      commitment: session.next.commitment,
      versionHash: session.wheel.hash,
    })
    assert.equal(played.status, 200, JSON.stringify(played.body))
    return (played.body as any).play
  }
  return {
    merchant,
    token,
    call: (method, path, body, headers) =>
      callApi(server, token, method, `/api/v1${path}`, {
        ...(body === undefined ? {} : { body }),
        ...(headers === undefined ? {} : { headers }),
      }),
    grant: async (playerId, spinNumber, key = randomUUID()) => {
      const answer = await postUntilAnswered(
        `${server.url}/api/player/increaseSpin`,
        token,
        { playerId, spinNumber },
        { 'Idempotency-Key': key },
      )
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    },
    publish: async (draft) => {
      const now = server.ctx.now()
      await saveDraft(server.ctx.db, { merchantId, slug: 'main', draft, revision: undefined, now })
      const { version } = await publishWheel(server.ctx.db, { merchantId, slug: 'main', now })
      await until(async () => (await server.ctx.wheels.current(merchantId)).version === version)
    },
    play: async (playerId, playId = randomUUID()) => {
      const link = await postUntilAnswered(`${server.url}/api/game/sso`, token, {
        playerId,
        initialSpin: 1_000,
      })
      assert.equal(link.status, 200, JSON.stringify(link.body))
      const opened = await postUntilAnswered(`${server.url}/api/v1/game/session`, undefined, {
        token: link.body.token,
      })
      return spin(opened.body, playId)
    },
    spin,
  }
}

/** A wheel that always draws the first segment, unless its prize is unavailable. */
export function alwaysWins(first: Partial<WheelSegment>, rest: Partial<WheelDocument> = {}): WheelDocument {
  return {
    ...defaultWheel,
    fallback: 'nothing',
    segments: [
      { id: 'mug', label: 'A mug', color: '#e11d48', weight: 1, prize: { kind: 'handover' }, ...first },
      { id: 'nothing', label: 'Nothing', color: '#334155', weight: 0, prize: { kind: 'none' } },
    ],
    ...rest,
  }
}

/** A cursor that a caller makes up for a list, which has rows. */
export async function forgeCursor(api: ManagementApi, list: string, content: string): Promise<string> {
  const { body } = await api.call('GET', `${list}?limit=1`)
  return body.next.slice(0, 8) + Buffer.from(content).toString('base64url')
}

/** Every item of a list, over all pages. */
export async function readAll(api: ManagementApi, path: string, name: string): Promise<any[]> {
  const items: any[] = []
  let cursor: string | null = null
  do {
    const place: string = cursor === null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`
    const page = await api.call('GET', `${path}${place}`)
    assert.equal(page.status, 200, page.text)
    items.push(...page.body[name])
    cursor = page.body.next
  } while (cursor !== null)
  return items
}
