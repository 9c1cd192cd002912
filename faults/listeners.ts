import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { SeededRandom } from './seeded-random.ts'
import type { TestMerchant } from './load.ts'

export type ApiEvent = { id: string; seq: number; type: string; at: string; data: Record<string, unknown> }

/** A merchant's webhook receiver. It counts the deliveries of each event, and sometimes fails or answers late. */
export class Receiver {
  readonly received = new Map<string, { text: string; count: number }>()
  /** Deliveries that must never occur: a wrong signature, or one id with two different bodies. */
  readonly complaints: string[] = []
  readonly url: string
  secret = ''
  deliveries = 0
  /** Set at the end of a round, so that it takes every delivery at once. */
  isReliable = false
  readonly #server: HttpServer

  static async start(random: SeededRandom): Promise<Receiver> {
    const server = createServer({ keepAliveTimeout: 60_000 })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Receiver(server, random)
  }

  private constructor(server: HttpServer, random: SeededRandom) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    server.on('request', (request, response) => {
      let body = ''
      request.on('error', () => undefined) // The sending server was killed; the delivery does not count.
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        // Not from Wheelhouse: another program of this machine may still know the port.
        if (request.headers['webhook-id'] === undefined) {
          response.writeHead(404).end()
          return
        }
        if (!this.isReliable && random.happens(0.01)) {
          response.writeHead(random.pick([500, 404, 302])).end()
          return
        }
        this.#take(body, request.headers as Record<string, string>)
        // The answer comes after the sender's timeout, so the same delivery is sent again under the same id.
        if (!this.isReliable && random.happens(0.001)) setTimeout(() => response.end(), 4_000)
        else response.end('ok')
      })
    })
  }

  #take(text: string, headers: Record<string, string>): void {
    this.deliveries++
    try {
      new Webhook(this.secret).verify(text, headers)
    } catch (error) {
      // A server with a wrong clock signs with that time, which is expected. Only the message identifies this error.
      if (!/timestamp too/.test(String(error))) this.complaints.push(`signature: ${String(error)}`)
    }
    const { id } = JSON.parse(text) as ApiEvent
    if (headers['webhook-id'] !== id)
      this.complaints.push(`the header names ${headers['webhook-id']}, the body ${id}`)
    const before = this.received.get(id)
    if (before !== undefined && before.text !== text)
      this.complaints.push(`${id} came with two different bodies`)
    this.received.set(id, { text, count: (before?.count ?? 0) + 1 })
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** Polls events as a merchant's data warehouse would: it keeps its position and continues from there at any server. */
export class Reader {
  readonly events: ApiEvent[] = []
  readonly #merchant: TestMerchant
  readonly #urls: readonly string[]
  readonly #reading: Promise<void>
  #isStopping = false
  #next = 0

  constructor(merchant: TestMerchant, urls: readonly string[]) {
    this.#merchant = merchant
    this.#urls = urls
    this.#reading = this.#follow()
  }

  async #follow(): Promise<void> {
    for (let turn = 0; !this.#isStopping; turn++) {
      const url = this.#urls[turn % this.#urls.length] as string
      try {
        const page = await readEvents(url, this.#merchant, { after: this.#next, wait: 2 })
        this.events.push(...page.events)
        this.#next = page.next
      } catch {
        // No answer: request the same page from another server.
        await sleep(100)
      }
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#reading
  }
}

export async function readEvents(
  url: string,
  merchant: TestMerchant,
  { after, wait = 0 }: { after: number; wait?: number },
): Promise<{ events: ApiEvent[]; next: number; last: number }> {
  const answer = await fetch(`${url}/api/v1/events?after=${after}&limit=1000&wait=${wait}`, {
    headers: { authorization: merchant.token },
    signal: AbortSignal.timeout(20_000),
  })
  if (!answer.ok) throw new Error(`events: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { events: ApiEvent[]; next: number; last: number }
}
