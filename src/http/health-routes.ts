import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WriteProbe } from '../db/write-probe.ts'
import { droppedLines } from '../log.ts'
import { type Build, readBuild } from '../version.ts'

/** For load balancers and process supervisors. */
export async function healthRoutes(app: FastifyInstance): Promise<void> {
  // Callers share its attempts, because these routes are public and have no rate limit.
  const { config, db } = app.ctx
  const writes = new WriteProbe(db, config.databaseTargets === undefined ? config.dataDir : undefined)

  // Browsers request it for every page; without it, each page logs an error to the browser console.
  app.get('/favicon.ico', { schema: { hide: true } }, async (_request, reply) => reply.code(204).send())

  app.get('/livez', { schema: { hide: true } }, async () => ({ status: 'alive' }))

  app.get('/readyz', { schema: { hide: true } }, async (request, reply) => {
    if (app.isStopping) return reply.code(503).send({ status: 'stopping' })
    const trouble = await writes.check()
    if (trouble === undefined) return { status: 'ready', ...(await details(request)) }
    const { status, detail } = trouble
    return reply.code(503).send({ status, detail })
  })
}

const build = readBuild()

/**
 * For callers with a live token only: nobody else should learn that their requests leave no trace in the log, or which
 * build to attack.
 */
async function details({ server, headers }: FastifyRequest): Promise<Partial<Build> & { detail?: string }> {
  const { log, tokens } = server.ctx
  if (headers.authorization === undefined) return {}
  // Suspect, because this route has no rate limit.
  const isKnown = await tokens.verify(headers.authorization, { isSuspect: true }).then(
    () => true,
    () => false,
  )
  if (!isKnown) return {}
  const { detail } = droppedLines(log)
  return { ...build, ...(detail === undefined ? {} : { detail }) }
}
