import type { FastifyInstance } from 'fastify'
import { statement } from '../db/database.ts'

const ping = statement<{ one: number }>('select 1 as one')
const pingTimeoutMs = 1_000
const pingAgeMaxMs = 500

/** For load balancers and process supervisors. */
export async function healthRoutes(app: FastifyInstance): Promise<void> {
  let lastPing: { isUp: Promise<boolean>; at: number } | undefined
  // Callers within half a second share an answer, because these routes are public and have no rate limit.
  const databaseAnswers = () => {
    if (lastPing === undefined || performance.now() - lastPing.at > pingAgeMaxMs) {
      lastPing = { isUp: pingDatabase(app), at: performance.now() }
    }
    return lastPing.isUp
  }

  // Browsers request it for every page; without it, each page logs an error to the browser console.
  app.get('/favicon.ico', { schema: { hide: true } }, async (_request, reply) => reply.code(204).send())

  app.get('/livez', { schema: { hide: true } }, async () => ({ status: 'alive' }))

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    if (app.isStopping) return reply.code(503).send({ status: 'stopping' })
    const isUp = await databaseAnswers()
    return reply.code(isUp ? 200 : 503).send({ status: isUp ? 'ready' : 'database unavailable' })
  })
}

async function pingDatabase(app: FastifyInstance): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, pingTimeoutMs, false)
  })
  const answer = app.ctx.db.query(ping).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer))
}
