import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import type { Context } from '../../context.ts'
import {
  bodyBytesMax,
  connectionsCheckIntervalMs,
  connectionsMax,
  fileUploadTimeoutMs,
  headerBytesMax,
  headerCountMax,
  headersTimeoutMs,
  idleConnectionTimeoutMs,
  keepAliveTimeoutMs,
  playerIdLengthMax,
} from '../../limits.ts'
import { refusalText } from '../../refusals.ts'
import { answerBrokenRequest } from './broken-requests.ts'
import { lazySerializers, lazyValidators } from './lazy-compilers.ts'
import { isClosing } from './lingering-close.ts'
import { sendProblem, toRefusal } from './problems.ts'
import { limitTimes } from './request-formats.ts'
import { logBrokenRequest } from './request-log.ts'
import type { RequestQueues } from './request-queues.ts'

/** The settings of the framework and of Node's server. */
export function serverOptions(
  ctx: Context,
  { nextRequestId, queues }: { nextRequestId: () => string; queues: RequestQueues },
): FastifyHttpOptions<Server> {
  return {
    logger: false,
    genReqId: nextRequestId,
    requestIdHeader: false,
    // The router measures the encoded path, where a character of an id takes up to twelve.
    routerOptions: { maxParamLength: playerIdLengthMax * 12 },
    bodyLimit: bodyBytesMax,
    // The longest of any route. Others have less time (slow-senders.ts).
    requestTimeout: fileUploadTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Also for an answer that the client does not read.
    connectionTimeout: idleConnectionTimeoutMs,
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckIntervalMs,
      // Node's own refusal has no problem document; refuseInvalidHeaders sends one.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: ctx.config.trustProxy.length > 0 ? [...ctx.config.trustProxy] : false,
    ajv: {
      customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false, allErrors: false },
      onCreate: limitTimes,
    },
    schemaController: {
      compilersFactory: { buildSerializer: lazySerializers(), buildValidator: lazyValidators() },
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket) => {
      if (isClosing(socket)) return
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
      else
        queues.refuse(socket, () =>
          answerBrokenRequest(ctx, error, { socket, requestId: nextRequestId(), headers: fixedHeaders(ctx) }),
        )
    },
    // The framework runs no hooks for these errors, such as a path that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      const refusal = toRefusal(error, request)
      logBrokenRequest(ctx, { requestId: request.id, status: refusalText(refusal.code).status })
      reply.headers({ ...fixedHeaders(ctx), 'x-request-id': request.id })
      void sendProblem(request, reply, refusal)
    },
  }
}

/** What Node's server takes only once it exists. */
export function prepareServer(server: Server): void {
  server.maxConnections = connectionsMax
  server.maxHeadersCount = headerCountMax
  // A client that has closed its side still gets its answers.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Node would close the connection without an answer. It takes its own listeners off the socket.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    server.emit('clientError', new Error('CONNECT is not supported.'), socket)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Sent with every answer. */
export function fixedHeaders({ config }: Context): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(config.publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}
