import type { IncomingMessage, Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { requestTimeoutMs } from '../../limits.ts'

/** Requests whose body is a file that is stored as it arrives. Only Node's own, longer limit applies to them. */
const files = new WeakSet<IncomingMessage>()

export function givePlentyOfTimeToFiles(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    if (routeOptions.config?.takesFile === true) files.add(raw)
    done()
  })
}

/**
 * Refuses a request that does not arrive in time. Node has one limit for all routes, and counts the time in which the
 * server is slow to take a file.
 */
export function limitSlowSenders(server: Server): void {
  server.on('request', (request) => {
    const { headers } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    const timer = setTimeout(() => {
      if (!request.complete && !files.has(request)) server.emit('clientError', tooSlow(), request.socket)
    }, requestTimeoutMs)
    request.once('close', () => clearTimeout(timer))
  })
}

function tooSlow(): Error {
  return Object.assign(new Error('The request did not arrive in time.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}
