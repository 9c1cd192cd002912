import type { FastifyReply } from 'fastify'

/** Aborted when the caller closes the connection, or has its answer. */
export function callerGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}
