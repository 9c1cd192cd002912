import type { FastifyInstance } from 'fastify'
import { statement } from '../db/database.ts'

const ping = statement<{ one: number }>('select 1 as one')
const pingTimeoutMs = 1_000
const pingAgeMaxMs = 500

/** For whoever watches over the process. */
export async function healthRoutes(app: FastifyInstance): Promise<void> {
  let lastPing: { isUp: Promise<boolean>; at: number } | undefined
  // Everybody who asks within half a second gets the same answer: anybody can ask as often as they like.
  const databaseAnswers = () => {
    if (lastPing === undefined || performance.now() - lastPing.at > pingAgeMaxMs) {
      lastPing = { isUp: pingDatabase(app), at: performance.now() }
    }
    return lastPing.isUp
  }

  // Browsers ask for it unasked; without an answer every page of ours starts with an error in the console.
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
