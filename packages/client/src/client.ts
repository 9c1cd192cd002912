import { eventFeed, type EventPage, type EventsOptions } from './event-feed.ts'
import type { EventType, WheelhouseEvent } from './events.ts'
import {
  addressOf,
  type Answer,
  type AnyInput,
  type CallOptions,
  type Input,
  isRepeatable,
  type Method,
  type PathOf,
  takesKey,
} from './operations.ts'
import { type ItemOf, itemsOf, type PagedPath } from './pages.ts'
import { type Arrived, type Retry, send } from './send.ts'
import { verifyWebhook } from './verify-webhook.ts'

export type ClientOptions = {
  /** Where Wheelhouse is, such as `https://wheel.example`. */
  url: string
  /** A service token. Keep it on your server. */
  token: string
  /** How long a call may take, with all its retries; 30 seconds by default. */
  deadlineMs?: number
  /** How long one attempt may take; 10 seconds by default. */
  attemptMs?: number
  /** Called before each retry, for your log. */
  onRetry?: (retry: Retry) => void
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch
}

/** Talks to Wheelhouse. Every call is repeated until it is answered, where a repeat is safe and the deadline allows. */
export class Wheelhouse {
  readonly #url: string
  readonly #token: string
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#url = new URL(options.url).href.replace(/\/+$/, '')
    this.#token = options.token
    this.#options = options
  }

  /**
   * Gives a player spins, exactly once however often the request has to be repeated. Pass an `idempotencyKey` that
   * names the reason, such as an order number, and a second call for the same order adds nothing either.
   */
  async grant(
    grant: { playerId: string; spinNumber: number; idempotencyKey?: string },
    options: CallOptions = {},
  ): Promise<{ playerId: string; spinCount: number; replayed: boolean }> {
    const { idempotencyKey, ...body } = grant
    const key = idempotencyKey === undefined ? {} : { idempotencyKey }
    const { headers, body: answer } = await this.#send(
      'POST',
      '/api/player/increaseSpin',
      { body },
      { ...options, ...key },
    )
    const { playerId, spinCount } = answer as Answer<'POST', '/api/player/increaseSpin'>
    return { playerId, spinCount, replayed: headers.get('Idempotent-Replayed') === 'true' }
  }

  /** Makes a game link. `initialSpin` welcomes a newcomer: it is granted once per player. */
  link(
    body: { playerId: string; initialSpin?: number },
    options?: CallOptions,
  ): Promise<Answer<'POST', '/api/game/sso'>> {
    return this.request('POST', '/api/game/sso', { body }, options)
  }

  readonly players = {
    list: (query: Query<'/api/v1/players'> = {}, options?: CallOptions) =>
      this.request('GET', '/api/v1/players', { query }, options),
    all: (query: Query<'/api/v1/players'> = {}, options?: CallOptions) =>
      this.all('/api/v1/players', { query }, options),
    read: (playerId: string, options?: CallOptions) =>
      this.request('GET', '/api/v1/players/{playerId}', { path: { playerId } }, options),
  }

  /** Prizes that were won. A play wins at most one, so a prize goes by the id of its play. */
  readonly prizes = {
    list: (query: Query<'/api/v1/prizes'> = {}, options?: CallOptions) =>
      this.request('GET', '/api/v1/prizes', { query }, options),
    all: (query: Query<'/api/v1/prizes'> = {}, options?: CallOptions) =>
      this.all('/api/v1/prizes', { query }, options),
    read: (playId: string, options?: CallOptions) =>
      this.request('GET', '/api/v1/prizes/{playId}', { path: { playId } }, options),
    claim: (playId: string, options?: CallOptions) =>
      this.request('PUT', '/api/v1/prizes/{playId}/claim', { path: { playId }, body: {} }, options),
    redeem: (playId: string, options?: CallOptions) =>
      this.request('PUT', '/api/v1/prizes/{playId}/redemption', { path: { playId }, body: {} }, options),
    cancel: (
      playId: string,
      body: Body<'PUT', '/api/v1/prizes/{playId}/cancellation'> = {},
      options?: CallOptions,
    ) => this.request('PUT', '/api/v1/prizes/{playId}/cancellation', { path: { playId }, body }, options),
    /** Takes back a redemption by mistake. Needs a token with the scope `manage`. */
    reverseRedemption: (playId: string, body: { reason: string }, options?: CallOptions) =>
      this.request('PUT', '/api/v1/prizes/{playId}/redemption-reversal', { path: { playId }, body }, options),
    /** Gives the player a held prize. Needs a token with the scope `manage`, as `refuse` does. */
    release: (playId: string, options?: CallOptions) =>
      this.request('PUT', '/api/v1/prizes/{playId}/release', { path: { playId }, body: {} }, options),
    refuse: (playId: string, body: Body<'PUT', '/api/v1/prizes/{playId}/refusal'>, options?: CallOptions) =>
      this.request('PUT', '/api/v1/prizes/{playId}/refusal', { path: { playId }, body }, options),
  }

  readonly campaigns = {
    list: (query: Query<'/api/v1/campaigns'> = {}, options?: CallOptions) =>
      this.request('GET', '/api/v1/campaigns', { query }, options),
    all: (query: Query<'/api/v1/campaigns'> = {}, options?: CallOptions) =>
      this.all('/api/v1/campaigns', { query }, options),
    read: (campaign: string, options?: CallOptions) =>
      this.request('GET', '/api/v1/campaigns/{campaign}', { path: { campaign } }, options),
    create: (body: Body<'POST', '/api/v1/campaigns'>, options?: CallOptions) =>
      this.request('POST', '/api/v1/campaigns', { body }, options),
    /** Changes only the fields that you pass. `{ isPaused: true }` pauses the campaign. */
    change: (campaign: string, body: Body<'PATCH', '/api/v1/campaigns/{campaign}'>, options?: CallOptions) =>
      this.request('PATCH', '/api/v1/campaigns/{campaign}', { path: { campaign }, body }, options),
    duplicate: (
      campaign: string,
      body: Body<'POST', '/api/v1/campaigns/{campaign}/copies'>,
      options?: CallOptions,
    ) => this.request('POST', '/api/v1/campaigns/{campaign}/copies', { path: { campaign }, body }, options),
    archive: (campaign: string, options?: CallOptions) =>
      this.request('PUT', '/api/v1/campaigns/{campaign}/archive', { path: { campaign } }, options),
    restore: (campaign: string, options?: CallOptions) =>
      this.request('DELETE', '/api/v1/campaigns/{campaign}/archive', { path: { campaign } }, options),
    scheduleWheel: (
      campaign: string,
      body: Body<'PUT', '/api/v1/campaigns/{campaign}/scheduled-wheel'>,
      options?: CallOptions,
    ) =>
      this.request(
        'PUT',
        '/api/v1/campaigns/{campaign}/scheduled-wheel',
        { path: { campaign }, body },
        options,
      ),
    cancelScheduledWheel: (campaign: string, options?: CallOptions) =>
      this.request('DELETE', '/api/v1/campaigns/{campaign}/scheduled-wheel', { path: { campaign } }, options),
  }

  /** Visitors who enter a campaign by its form. */
  readonly entries = {
    list: (
      campaign: string,
      query: Query<'/api/v1/campaigns/{campaign}/entries'> = {},
      options?: CallOptions,
    ) => this.request('GET', '/api/v1/campaigns/{campaign}/entries', { path: { campaign }, query }, options),
    all: (
      campaign: string,
      query: Query<'/api/v1/campaigns/{campaign}/entries'> = {},
      options?: CallOptions,
    ) => this.all('/api/v1/campaigns/{campaign}/entries', { path: { campaign }, query }, options),
    /** How many visitors came how far, and refusals by reason. By default of the last 30 days. */
    figures: (
      campaign: string,
      query: Query<'/api/v1/campaigns/{campaign}/entry/figures'> = {},
      options?: CallOptions,
    ) =>
      this.request(
        'GET',
        '/api/v1/campaigns/{campaign}/entry/figures',
        { path: { campaign }, query },
        options,
      ),
    readSettings: (campaign: string, options?: CallOptions) =>
      this.request('GET', '/api/v1/campaigns/{campaign}/entry', { path: { campaign } }, options),
    /** Replaces form, terms and rules. Other terms need a `reason` once somebody has entered. */
    changeSettings: (
      campaign: string,
      body: Body<'PUT', '/api/v1/campaigns/{campaign}/entry'>,
      options?: CallOptions,
    ) => this.request('PUT', '/api/v1/campaigns/{campaign}/entry', { path: { campaign }, body }, options),
    removeSettings: (campaign: string, options?: CallOptions) =>
      this.request('DELETE', '/api/v1/campaigns/{campaign}/entry', { path: { campaign } }, options),
    /** The versions of form and terms, newest first. */
    versions: (
      campaign: string,
      query: Query<'/api/v1/campaigns/{campaign}/entry/versions'> = {},
      options?: CallOptions,
    ) =>
      this.request(
        'GET',
        '/api/v1/campaigns/{campaign}/entry/versions',
        { path: { campaign }, query },
        options,
      ),
    /** For somebody who wants no more mail. Returns all consents of the visitor. */
    withdrawConsents: (
      playerId: string,
      body: Body<'PUT', '/api/v1/players/{playerId}/consents/withdrawal'> = {},
      options?: CallOptions,
    ) =>
      this.request(
        'PUT',
        '/api/v1/players/{playerId}/consents/withdrawal',
        { path: { playerId }, body },
        options,
      ),
  }

  readonly webhooks = {
    list: (options?: CallOptions) => this.request('GET', '/api/v1/webhooks', {}, options),
    /** The secret is in this answer only. */
    create: (body: Body<'POST', '/api/v1/webhooks'>, options?: CallOptions) =>
      this.request('POST', '/api/v1/webhooks', { body }, options),
    /** Sends a test event, and returns what your receiver answered. */
    test: (webhook: string, options?: CallOptions) =>
      this.request('POST', '/api/v1/webhooks/{webhook}/test', { path: { webhook } }, options),
    /** For a day, events are signed with both secrets. */
    rotateSecret: (webhook: string, options?: CallOptions) =>
      this.request('POST', '/api/v1/webhooks/{webhook}/secret', { path: { webhook } }, options),
    delete: (webhook: string, options?: CallOptions) =>
      this.request('DELETE', '/api/v1/webhooks/{webhook}', { path: { webhook } }, options),
    verify: verifyWebhook,
  }

  /** What only a test merchant can do. Needs a token of the test merchant. */
  readonly test = {
    /** Spins once for a player who has a spin, as the game does. No page and no link is needed. */
    play: (body: Body<'POST', '/api/v1/test/plays'>, options?: CallOptions) =>
      this.request(
        'POST',
        '/api/v1/test/plays',
        { body: { ...body, playId: body.playId ?? crypto.randomUUID() } },
        options,
      ),
    readClock: (options?: CallOptions) => this.request('GET', '/api/v1/test/clock', {}, options),
    /** Moves the clock to a later time. What is due by then has been done when the call returns. */
    setClock: (now: Date, options?: CallOptions) =>
      this.request('PUT', '/api/v1/test/clock', { body: { now: now.toISOString() } }, options),
    /** The codes that visitors are to type, instead of mails. */
    entryCodes: (campaign: string, options?: CallOptions) =>
      this.request('GET', '/api/v1/campaigns/{campaign}/entries/codes', { path: { campaign } }, options),
    /** Begins anew: without players, plays and events, and with the real time. */
    reset: (options?: CallOptions) => this.request('POST', '/api/v1/test/reset', {}, options),
    /** Writes an event with sample data. */
    sendEvent: (type: EventType, options?: CallOptions) =>
      this.request(
        'POST',
        '/api/v1/test/events',
        { body: { type: type as Body<'POST', '/api/v1/test/events'>['type'] } },
        options,
      ),
  }

  /** The merchant's events, one after the other, as they happen. Resumes by itself after a lost connection. */
  events<Type extends EventType = EventType>(
    options: EventsOptions<Type> = {},
  ): AsyncGenerator<WheelhouseEvent<Type>, void, undefined> {
    const { types, signal, waitSeconds = 25 } = options
    const readPage = (after: number | undefined) => {
      const query = { after, types: types === undefined ? undefined : [...types], wait: waitSeconds }
      const call = { deadlineMs: Number.POSITIVE_INFINITY, ...(signal === undefined ? {} : { signal }) }
      return this.#send('GET', '/api/v1/events', { query }, call, waitSeconds * 1000)
    }
    return eventFeed(async (after) => (await readPage(after)).body as EventPage<Type>, options)
  }

  /**
   * Every item of a paged list, by the path of the list. Reads a page at a time: `limit` is the size of a page, and the
   * deadline is for each page.
   */
  all<P extends PagedPath>(
    path: P,
    ...[input, options]: object extends Input<'GET', P>
      ? [input?: Input<'GET', P>, options?: CallOptions]
      : [input: Input<'GET', P>, options?: CallOptions]
  ): AsyncGenerator<ItemOf<P>, void, undefined> {
    const { query, ...others } = (input ?? {}) as AnyInput
    const readPage = (cursor: string | number | undefined) => {
      const page = cursor === undefined ? query : { ...query, cursor }
      return this.#send('GET', path, { ...others, ...(page && { query: page }) }, options ?? {})
    }
    return itemsOf<ItemOf<P>>(async (cursor) => (await readPage(cursor)).body)
  }

  /** Any operation of the API, typed by its method and path, as in the API reference. */
  async request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[input, options]: object extends Input<M, P>
      ? [input?: Input<M, P>, options?: CallOptions]
      : [input: Input<M, P>, options?: CallOptions]
  ): Promise<Answer<M, P>> {
    const { body } = await this.#send(method, path, input ?? {}, options ?? {})
    return body as Answer<M, P>
  }

  #send(method: Method, path: string, input: AnyInput, options: CallOptions, waitMs = 0): Promise<Arrived> {
    const { idempotencyKey = takesKey(method, path) ? crypto.randomUUID() : undefined } = options
    const body = input.body instanceof Blob ? input.body : JSON.stringify(input.body)
    // Made here, so that a value that no header can hold is reported at once, and not taken for a lost connection.
    const headers = new Headers({
      Accept: 'application/json',
      Authorization: this.#token,
      // A file has a type of its own.
      ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...options.headers,
    })
    const url = this.#url + addressOf(path, input)
    const request = {
      url,
      method,
      headers,
      body,
      idempotencyKey,
      isRepeatable: isRepeatable(method, path, input),
    }
    const { deadlineMs = 30_000, attemptMs = 10_000, onRetry, fetch: ownFetch } = this.#options
    return send(request, {
      // A method of nothing: browsers and Workers refuse a fetch that is called on another object.
      fetch: ownFetch ?? ((...sent) => fetch(...sent)),
      deadlineMs: options.deadlineMs ?? deadlineMs,
      attemptMs: attemptMs + waitMs,
      signal: options.signal,
      onRetry,
    })
  }
}

type Query<P extends PathOf<'GET'>> = NonNullable<Input<'GET', P>['query' & keyof Input<'GET', P>]>
type Body<M extends Method, P extends PathOf<M>> = NonNullable<Input<M, P>['body']>
