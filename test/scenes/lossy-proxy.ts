// An HTTP proxy on loopback that loses requests and responses, as networks and load balancers do.
import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  request as send,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { defer, type Lifetime } from './scene.ts'

export type Fault =
  | 'none'
  /** The connection closes before the server gets the request. */
  | 'drop-request'
  /** The server handles the request, and the connection closes before the response. */
  | 'drop-answer'
  /** The connection closes in the middle of the response. */
  | 'cut-answer'
  /** The server handles the request, and the response never arrives. */
  | 'silence'
  /** The server gets the request late. */
  | 'delay'
  /** The proxy refuses the request like an overloaded server. */
  | 'overloaded'
  /** The proxy responds with a page of its own. */
  | 'bad-gateway'
  /** A network's sign-in page answers in place of the server. */
  | 'sign-in-page'
  /** The proxy responds with success and nothing else. */
  | 'empty-answer'
  /** The proxy responds with JSON that is not the server's. */
  | 'strange-answer'

export type Passed = { method: string; url: string; headers: IncomingHttpHeaders; body: string; fault: Fault }
export type LossyProxy = { url: string; passed: Passed[] }

/** `choose` picks the fault of each request. */
export async function makeLossyProxy(
  t: Lifetime,
  target: string,
  choose: (request: Omit<Passed, 'fault'>) => Fault,
): Promise<LossyProxy> {
  const agent = new Agent({ keepAlive: true })
  const passed: Passed[] = []
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() }
      const fault = choose(request)
      passed.push({ ...request, fault })
      handle(response, { ...request, fault }, { target, agent })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  defer(t, async () => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed }
}

type Way = { target: string; agent: Agent }

function handle(response: ServerResponse, request: Passed, way: Way): void {
  if (request.fault === 'drop-request') response.destroy()
  else if (request.fault === 'bad-gateway')
    response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>502</h1>')
  else if (request.fault === 'sign-in-page')
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Room number?</h1>')
  else if (request.fault === 'empty-answer') response.writeHead(200).end()
  else if (request.fault === 'strange-answer')
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('null')
  else if (request.fault === 'overloaded') refuse(response)
  else if (request.fault === 'delay') setTimeout(() => forward(response, request, way), 50)
  else forward(response, request, way)
}

function refuse(response: ServerResponse): void {
  const problem = {
    type: 'about:blank',
    title: 'The server is busy',
    status: 503,
    detail: 'The server has reached its limit of requests in flight.',
    code: 'overloaded',
    requestId: 'none',
    retryable: true,
  }
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '1' }
  response.writeHead(503, headers).end(JSON.stringify(problem))
}

function forward(response: ServerResponse, { method, url, headers, body, fault }: Passed, way: Way): void {
  const onward = send(new URL(url, way.target), { method, headers, agent: way.agent }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => {
      const content = Buffer.concat(chunks)
      if (fault === 'silence') return
      if (fault === 'drop-answer') response.destroy()
      else {
        response.writeHead(answer.statusCode ?? 500, { ...answer.headers, 'content-length': content.length })
        if (fault === 'cut-answer') response.write(content.subarray(0, 5), () => response.destroy())
        else response.end(content)
      }
    })
  })
  onward.on('error', () => response.destroy())
  onward.end(body)
}
