import { hash } from 'node:crypto'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { wrongQuery } from './query.ts'

type Query = Record<string, unknown> & { cursor?: string }

/** Long enough to prevent mistakes. The mark is no secret: a caller may make one up, and sees only its own rows. */
const markLength = 8

/**
 * Marks the cursors of a list with the list and its filters, and refuses others. Without the mark, many lists would
 * accept each other's cursors and skip rows.
 */
export function bindCursors(route: RouteOptions): void {
  const { properties } = (route.schema?.querystring ?? {}) as { properties?: { cursor?: { type?: string } } }
  // Two lists of webhooks have plain numbers as cursors.
  if (properties?.cursor?.type !== 'string') return
  route.preHandler = async (request) => {
    const query = request.query as Query
    if (query.cursor === undefined) return
    if (!query.cursor.startsWith(markOf(request)))
      throw wrongQuery('cursor', 'must be the `next` of a page of the same list, with the same filters')
    query.cursor = query.cursor.slice(markLength)
  }
  route.preSerialization = async (request, _reply, payload) => {
    const { next } = payload as { next?: unknown }
    return typeof next === 'string' ? { ...(payload as object), next: markOf(request) + next } : payload
  }
}

/** The page size and the chosen fields may differ from page to page. */
function markOf({ routeOptions, params, query, caller }: FastifyRequest): string {
  const { cursor: _cursor, limit: _limit, fields: _fields, ...filters } = query as Query
  const sorted = Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const list = [routeOptions.url, params, sorted, caller?.merchant.merchantId, caller?.campaign?.slug]
  return hash('sha256', JSON.stringify(list), 'base64url').slice(0, markLength)
}
