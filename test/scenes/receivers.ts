// Webhook receivers on loopback, well-behaved and malicious.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Certificate } from './certificates.ts'
import { defer, type Lifetime } from './scene.ts'

export type Received = { headers: Record<string, string | undefined>; body: string; at: number }
export type Respond = (received: Received, response: ServerResponse, request: IncomingMessage) => void
export type Receiver = { url: string; port: number; received: Received[]; connectionCount: () => number }

/** An HTTP server that records requests and responds as instructed; 200 by default. */
export async function makeReceiver(
  t: Lifetime,
  respond: Respond = (_, response) => void response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        headers: request.headers as Record<string, string | undefined>,
        body: Buffer.concat(chunks).toString(),
        at: performance.now(),
      }
      received.push(one)
      respond(one, response, request)
    })
  })
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  defer(t, async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { url: `http://127.0.0.1:${port}/hook`, port, received, connectionCount: () => connections }
}

export type RawReceiver = { url: string; port: number; connectionCount: () => number }

/** Accepts a connection, waits for the first bytes of a request, and passes the socket to the test. */
export async function makeRawReceiver(
  t: Lifetime,
  behave: (socket: Socket) => void,
  certificate?: Certificate,
): Promise<RawReceiver> {
  const sockets = new Set<Socket>()
  let connections = 0
  const greet = (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => behave(socket))
  }
  const server = certificate === undefined ? createTcpServer(greet) : createTlsServer(certificate, greet)
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  defer(t, async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const scheme = certificate === undefined ? 'http' : 'https'
  return { url: `${scheme}://127.0.0.1:${port}/hook`, port, connectionCount: () => connections }
}

/** Writes for as long as the peer reads, and no faster. */
export function writeContinuously(socket: Socket, chunk: Buffer): void {
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', pour)
  pour()
}
