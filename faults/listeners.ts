import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Chance } from './chance.ts'
import type { Shop } from './load.ts'

export type ToldEvent = { id: string; seq: number; type: string; at: string; data: Record<string, unknown> }

/** Takes webhooks as a merchant would, and keeps each with how often it came. Now and then it fails or dawdles. */
export class Receiver {
  readonly received = new Map<string, { text: string; count: number }>()
  /** What must never come: a wrong signature, or one id with two texts. */
  readonly complaints: string[] = []
  readonly url: string
  secret = ''
  deliveries = 0
  isKind = false
  readonly #server: HttpServer

  static async start(chance: Chance): Promise<Receiver> {
    const server = createServer({ keepAliveTimeout: 60_000 })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Receiver(server, chance)
  }

  private constructor(server: HttpServer, chance: Chance) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    server.on('request', (request, response) => {
      let body = ''
      request.on('error', () => undefined) // A sender that was killed; it counts for nothing.
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        if (!this.isKind && chance.happens(0.01)) {
          response.writeHead(chance.pick([500, 404, 302])).end()
          return
        }
        this.#take(body, request.headers as Record<string, string>)
        // One that is heard but whose answer is late is sent again, under the same id.
        if (!this.isKind && chance.happens(0.001)) setTimeout(() => response.end(), 4_000)
        else response.end('ok')
      })
    })
  }

  #take(text: string, headers: Record<string, string>): void {
    this.deliveries++
    try {
      new Webhook(this.secret).verify(text, headers)
    } catch (error) {
      // A server whose clock was set wrong signs with that time. That is expected of it, and told by its message alone.
      if (!/timestamp too/.test(String(error))) this.complaints.push(`signature: ${String(error)}`)
    }
    const { id } = JSON.parse(text) as ToldEvent
    if (headers['webhook-id'] !== id)
      this.complaints.push(`the header names ${headers['webhook-id']}, the body ${id}`)
    const before = this.received.get(id)
    if (before !== undefined && before.text !== text) this.complaints.push(`${id} came with two texts`)
    this.received.set(id, { text, count: (before?.count ?? 0) + 1 })
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** Pulls events as a merchant's warehouse would: it keeps where it is, and goes on from there at any server. */
export class Reader {
  readonly events: ToldEvent[] = []
  readonly #shop: Shop
  readonly #urls: readonly string[]
  readonly #reading: Promise<void>
  #isStopping = false
  #next = 0

  constructor(shop: Shop, urls: readonly string[]) {
    this.#shop = shop
    this.#urls = urls
    this.#reading = this.#follow()
  }

  async #follow(): Promise<void> {
    for (let turn = 0; !this.#isStopping; turn++) {
      const url = this.#urls[turn % this.#urls.length] as string
      try {
        const page = await readEvents(url, this.#shop, { after: this.#next, wait: 2 })
        this.events.push(...page.events)
        this.#next = page.next
      } catch {
        // No answer: it asks again, elsewhere, for the same.
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
  shop: Shop,
  { after, wait = 0 }: { after: number; wait?: number },
): Promise<{ events: ToldEvent[]; next: number; last: number }> {
  const answer = await fetch(`${url}/api/v1/events?after=${after}&limit=1000&wait=${wait}`, {
    headers: { authorization: shop.token },
    signal: AbortSignal.timeout(20_000),
  })
  if (!answer.ok) throw new Error(`events: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { events: ToldEvent[]; next: number; last: number }
}
