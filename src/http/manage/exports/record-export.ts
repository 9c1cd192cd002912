import type { FastifyRequest } from 'fastify'
import { recordChanges } from '../../../audit-log/audit-log.ts'
import { untilDone } from '../../../db/database.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import type { ExportQuery } from './exports.ts'
import { playerOf } from '../players/player-routes.ts'

/**
 * A line in the audit log, before the first row is sent: data that has left can't be called back. A player is in it by
 * number, and texts that may hold a part of a player's id are left out, so that erasure need not change the log.
 */
export async function recordExport(
  request: FastifyRequest,
  { list, query }: { list: string; query: ExportQuery },
): Promise<void> {
  const { db } = request.server.ctx
  const { merchantId } = callingMerchant(request)
  const {
    playerId,
    search,
    subject,
    separator: _,
    bom: __,
    decimal: ___,
    format = 'ndjson',
    ...filters
  } = query
  const isSearch = search !== undefined || subject !== undefined
  const about =
    playerId === undefined ? { kind: 'export', id: list } : playerSubject(await playerOf(request, playerId))
  const after = { list, format, ...filters, ...(isSearch ? { search: true } : {}) }
  const change = { merchantId, action: 'data.export', subject: about, after }
  await untilDone(() => recordChanges(db, [change], causeOf(request)))
}

function playerSubject({ shard, playerNo }: { shard: number; playerNo: number }) {
  return { kind: 'player' as const, shard, playerNo }
}
