// Fixtures for the tests of the fast path: one request in all the forms that take different paths through the server.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request as send } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * A request in three forms. The common one takes the fast path on the bare connection. After another request on
 * the same connection it takes the fast path behind Node's parser. A chunked one takes the framework.
 */
export type Form = 'common' | 'after another' | 'chunked'
export type ParsedResponse = {
  status: number
  headers: Record<string, unknown>
  body: Record<string, unknown>
}
type Order = { token?: string; body: unknown; headers?: Record<string, string> }

export async function sendRequest(url: string, form: Form, order: Order): Promise<ParsedResponse> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (request: ClientRequest, bytes: Buffer = Buffer.alloc(0)) => {
    request.end(bytes)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { response, said: await text(response) }
  }
  if (form === 'after another') await ask(send(new URL('/livez', url), { agent }))
  const bytes = Buffer.isBuffer(order.body) ? order.body : Buffer.from(JSON.stringify(order.body))
  const length =
    form === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) }
  const headers = {
    'content-type': 'application/json',
    ...(order.token === undefined ? {} : { authorization: order.token }),
    ...length,
    ...order.headers,
  }
  const { response, said } = await ask(send(url, { method: 'POST', agent, headers }), bytes)
  agent.destroy()
  return {
    status: response.statusCode as number,
    headers: response.headers,
    body: JSON.parse(said) as Record<string, unknown>,
  }
}

/** How many messages `work` publishes on this channel. */
export async function countMessages(channel: string, work: () => Promise<unknown>): Promise<number> {
  let times = 0
  const listener = () => times++
  subscribe(channel, listener)
  await work().finally(() => unsubscribe(channel, listener))
  return times
}

export const inFramework = 'tracing:fastify.request.handler:start'
export const inNode = 'http.server.request.start'
