import assert from 'node:assert/strict'
import { isIP, isIPv4, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { buildConnector, type Dispatcher, Pool } from 'undici'
import {
  webhookAnswerBytesMax,
  webhookAnswerHeaderBytesMax,
  webhookBodyTimeoutMs,
  webhookConnectTimeoutMs,
  webhookExcerptLengthMax,
  webhookKeepAliveMs,
} from '../../limits.ts'
import { type AnswerHeaders, keptHeaders } from './answer-headers.ts'
import { type Answer, sendFault } from './answers.ts'
import { dnsLookup, type Lookup } from './dns-lookup.ts'
import { hostOf } from '../endpoint-url.ts'
import { makeAddressCheck, type NetworkRules } from '../network-rules.ts'

/**
 * How to reach endpoints. `lookup` and `trustedCertificates` are arguments so that a test can simulate the internet.
 */
export type Reach = NetworkRules & {
  lookup: Lookup
  timeoutMs: number
  /** Certificates to trust instead of the public authorities. */
  trustedCertificates?: readonly string[]
}

export function makeReach(settings: NetworkRules & { timeoutSeconds: number }): Reach {
  const { allowHttp, allowedNetworks, timeoutSeconds } = settings
  return { allowHttp, allowedNetworks, lookup: dnsLookup(), timeoutMs: timeoutSeconds * 1000 }
}

/**
 * Sends to one endpoint over persistent connections. It follows no redirects, uses no proxy, decompresses nothing,
 * and reads only the start of the response.
 */
export class WebhookClient {
  readonly #url: URL
  readonly #pool: Pool
  readonly #timeoutMs: number

  constructor(url: string, reach: Reach, connectionsMax: number) {
    this.#url = new URL(url)
    this.#timeoutMs = reach.timeoutMs
    this.#pool = new Pool(this.#url.origin, {
      connections: connectionsMax,
      pipelining: 1,
      // HTTP/2 would need limits of its own, and brings no advantage for webhooks.
      allowH2: false,
      connect: safeConnector(this.#url, reach),
      maxHeaderSize: webhookAnswerHeaderBytesMax,
      headersTimeout: reach.timeoutMs,
      bodyTimeout: reach.timeoutMs,
      keepAliveTimeout: webhookKeepAliveMs,
      keepAliveMaxTimeout: webhookKeepAliveMs,
    })
  }

  /** One attempt. It always resolves, and within the time limit. */
  async send(body: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
    return new Promise((resolve) => {
      const handler = new AnswerReader(this.#timeoutMs, resolve)
      this.#pool.dispatch(
        {
          method: 'POST',
          path: this.#url.pathname + this.#url.search,
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Wheelhouse-Webhooks/1',
            'accept-encoding': 'identity',
            ...headers,
          },
          body,
        },
        handler,
      )
    })
  }

  /** Aborts the requests in flight. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

class AddressBlocked extends Error {
  readonly code = 'ADDRESS_BLOCKED'
}

/**
 * Resolves the name once for each connection, keeps the allowed addresses, and connects to one of these only. Server
 * name, `Host` and certificate remain those of the URL.
 */
function safeConnector(url: URL, reach: Reach): buildConnector.connector {
  const isAllowed = makeAddressCheck(reach)
  const lookup = callbackify(async (name: string, options: { all?: boolean }) => {
    assert(options.all === true, 'a socket with autoSelectFamily asks for all addresses')
    const found = await reach.lookup(name)
    const addresses = found.filter(isAllowed)
    if (addresses.length === 0) throw blocked(found)
    return addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }))
  }) as LookupFunction
  const connect = buildConnector({
    allowH2: false,
    timeout: Math.min(webhookConnectTimeoutMs, reach.timeoutMs),
    lookup,
    autoSelectFamily: true,
    ...(reach.trustedCertificates === undefined ? {} : { ca: [...reach.trustedCertificates] }),
  })
  const host = hostOf(url)
  const isRefused = (isIP(host) !== 0 && !isAllowed(host)) || (url.protocol === 'http:' && !reach.allowHttp)
  return (options, callback) => {
    if (isRefused) {
      queueMicrotask(() => callback(blocked([host]), null))
      return
    }
    connect(options, (...[error, socket]) => {
      // The last check: whatever the lookup returned, this is the address of the peer.
      if (error === null && socket !== null && !isAllowed(socket.remoteAddress ?? '')) {
        const where = [socket.remoteAddress ?? 'nowhere']
        socket.destroy()
        callback(blocked(where), null)
      } else if (error === null) callback(null, socket)
      else callback(error, null)
    })
  }
}

function blocked(addresses: readonly string[]): AddressBlocked {
  return new AddressBlocked(
    `webhooks may not be sent to ${addresses.join(', ') || 'a name without addresses'}`,
  )
}

/** Reads the part of a response that we keep, then closes it. */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #startedAt = performance.now()
  readonly #resolve: (answer: Answer) => void
  #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #status: number | null = null
  #retryAfter: string | null = null
  #headers: Record<string, string> = {}
  #isReadable = true
  #excerpt: Buffer[] = []
  #bytesRead = 0
  #isOver = false

  constructor(timeoutMs: number, resolve: (answer: Answer) => void) {
    this.#resolve = resolve
    this.#timer = setTimeout(() => this.#stop('timeout'), timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('the time limit has passed'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    if (status < 200 || status > 999) return
    this.#status = status
    const retryAfter = headers['retry-after']
    this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : null
    this.#headers = keptHeaders(headers)
    const encoding = headers['content-encoding']
    this.#isReadable = encoding === undefined || encoding === 'identity'
    // The result is known. The body is read only to show an excerpt, and to keep the connection usable.
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#stop(null), webhookBodyTimeoutMs)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytesRead < webhookExcerptLengthMax && this.#isReadable) {
      this.#excerpt.push(Buffer.from(chunk.subarray(0, webhookExcerptLengthMax - this.#bytesRead)))
    }
    this.#bytesRead += chunk.length
    if (this.#bytesRead > webhookAnswerBytesMax) this.#stop(null)
  }

  onResponseEnd(): void {
    this.#settle(null)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#settle(this.#status === null ? sendFault(error) : null)
  }

  #stop(fault: 'timeout' | null): void {
    this.#settle(fault)
    this.#controller?.abort(new Error('enough was read'))
  }

  #settle(given: Answer['fault']): void {
    if (this.#isOver) return
    this.#isOver = true
    // A response that ended without a status is not valid HTTP.
    const fault = given ?? (this.#status === null ? 'protocol' : null)
    clearTimeout(this.#timer)
    this.#resolve({
      status: fault === null ? this.#status : null,
      fault,
      tookMs: Math.round(performance.now() - this.#startedAt),
      excerpt: this.#bytesRead === 0 ? null : excerptText(this.#excerpt, this.#isReadable),
      headers: this.#headers,
      retryAfter: this.#retryAfter,
    })
  }
}

/** Replaces characters that a database, a terminal or a page can't show. */
function excerptText(chunks: readonly Buffer[], isReadable: boolean): string {
  if (!isReadable) return '(compressed; not read)'
  return Buffer.concat(chunks)
    .toString('utf8')
    .replaceAll(/[^\P{Cc}\n\t]|\p{Cs}/gu, '\uFFFD')
}
