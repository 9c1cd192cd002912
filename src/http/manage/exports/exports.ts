import type { FastifyRequest } from 'fastify'
import { type TObject, type TProperties, Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import type { Scope } from '../../../merchants/scopes.ts'
import type { Player } from '../../../players/players.ts'
import { type PrizeState, prizeStates } from '../../../prizes/prize-settlements.ts'
import { Refusal, type RefusalCode } from '../../../refusals.ts'
import { slugPattern } from '../../../slug.ts'
import { findPool } from '../../../stock/code-pools.ts'
import { callingMerchant, nowOf } from '../../authenticate.ts'
import { AuditAnswer } from '../../answers/audit-log.ts'
import { campaignQuery } from '../../answers/campaigns.ts'
import { EntryAnswer, PlayerAnswer } from '../../answers/players.ts'
import { PlayAnswer } from '../../answers/plays.ts'
import { PrizeAnswer } from '../../answers/prizes.ts'
import { auditFilterOf, auditFilters } from '../merchants/audit-filters.ts'
import { filteredCampaign } from '../campaign-of-request.ts'
import { auditEntriesOf, codesOf, entriesOf, playersOf, playsOf, prizesOf } from './export-rows.ts'
import { passes, playFilterOf, playFilters } from '../plays/play-filters.ts'
import { contains, PlayerQuery } from '../players/player-search.ts'
import { playerOf } from '../players/player-routes.ts'
import { wantedBy } from '../plays/prize-search.ts'
import { visiblePlayers } from '../players/visible-players.ts'
import { shownWithPurses } from '../players/with-purses.ts'
import { momentIn } from '../query.ts'

/** The query of any export. Each has some of these. */
export type ExportQuery = {
  format?: 'csv' | 'ndjson' | 'xlsx'
  separator?: 'comma' | 'semicolon'
  bom?: true
  decimal?: 'comma'
  playerId?: string
  search?: string
  blocked?: true
  campaign?: string
  wheel?: string
  prizeId?: string
  won?: boolean
  state?: PrizeState
  pool?: string
  action?: string
  subjectKind?: string
  subject?: string
  actorId?: string
  actor?: string
  verified?: boolean
  from?: string
  to?: string
}

type Export = {
  name: string
  operationId: string
  summary: string
  row: TObject
  query: TProperties
  refusals: readonly RefusalCode[]
  /** Whether it keeps a bound token within its campaign. Otherwise such tokens are refused. */
  isFiltered: boolean
  /** One of them is needed, instead of one for reading. */
  scopes?: readonly Scope[]
  /** Checks the query, then returns the rows. */
  rows: (request: FastifyRequest, query: ExportQuery) => Promise<AsyncGenerator<object>>
}

const endOfTime = new Date(8.64e15)
const ofPlays: RefusalCode[] = ['player_not_found', 'wheel_not_found', 'campaign_not_found']

/** Every list of the merchant, with the filters of the list. */
export const exports: Export[] = [
  {
    name: 'players',
    operationId: 'exportPlayers',
    summary: 'Export players',
    row: PlayerAnswer,
    query: { search: PlayerQuery.properties.search, blocked: PlayerQuery.properties.blocked },
    refusals: [],
    isFiltered: true,
    rows: async (request, { search, blocked }) =>
      playersOf(
        { ...request.server.ctx, now: () => nowOf(request) },
        {
          ...ownerOf(request),
          shown: async (players) => {
            const wanted = players.filter(
              (player) => contains(player, search) && (blocked === undefined || player.blockedAt !== null),
            )
            return shownWithPurses(request, await visiblePlayers(request, wanted))
          },
        },
      ),
  },
  {
    name: 'ledger',
    operationId: 'exportLedger',
    summary: 'Export the ledger, player by player',
    row: Type.Object({ playerId: Type.String(), ...EntryAnswer.properties }),
    query: { playerId: playFilters.playerId, ...campaignQuery, from: playFilters.from, to: playFilters.to },
    refusals: ['player_not_found', 'campaign_not_found'],
    isFiltered: true,
    rows: async (request, query) =>
      entriesOf(request.server.ctx, {
        ...(await whoseOf(request, query)),
        campaignId: await filteredCampaign(request, query.campaign),
        ...rangeOf(request, query),
        ...(query.to === undefined ? { to: endOfTime } : {}),
      }),
  },
  {
    name: 'plays',
    operationId: 'exportPlays',
    summary: 'Export plays with their proofs, oldest first',
    row: PlayAnswer,
    query: { ...playFilters, won: Type.Optional(Type.Boolean()) },
    refusals: ofPlays,
    isFiltered: true,
    rows: async (request, query) => {
      const filter = await playFilterOf(request, query)
      return playsOf(request.server.ctx, {
        ...(await whoseOf(request, query)),
        ...rangeOf(request, query),
        isWanted: (play) => passes(filter, play) && (query.won === undefined || play.won === query.won),
      })
    },
  },
  {
    name: 'prizes',
    operationId: 'exportPrizes',
    summary: 'Export prizes that were won, oldest first',
    row: PrizeAnswer,
    query: { ...playFilters, state: Type.Optional(Type.Enum([...prizeStates])) },
    refusals: ofPlays,
    isFiltered: true,
    rows: async (request, query) =>
      prizesOf(
        { ...request.server.ctx, now: () => nowOf(request) },
        {
          ...(await whoseOf(request, query)),
          ...rangeOf(request, query),
          isWanted: await wantedBy(request, query),
        },
      ),
  },
  {
    name: 'audit-log',
    operationId: 'exportAuditLog',
    summary: 'Export the audit log, newest first',
    row: AuditAnswer,
    query: auditFilters,
    refusals: [],
    isFiltered: false,
    rows: async (request, query) =>
      auditEntriesOf(request.server.ctx, {
        ...ownerOf(request),
        filter: await auditFilterOf(request, query),
      }),
  },
  {
    name: 'codes',
    operationId: 'exportCodes',
    summary: 'Export the codes of a pool, in the order in which they are given out',
    row: Type.Object({
      pool: Type.String(),
      position: Type.Integer(),
      code: Type.String(),
      isGiven: Type.Boolean({ description: 'Whether a player has won it.' }),
    }),
    query: { pool: Type.String({ pattern: slugPattern }) },
    refusals: ['code_pool_not_found'],
    isFiltered: false,
    // Codes that nobody has won yet are worth money. Reports don't need them.
    scopes: ['manage'],
    rows: async (request, { pool = '' }) => {
      const { ctx } = request.server
      const found = await untilDone(() => findPool(ctx.db, { ...ownerOf(request), pool }))
      if (found === undefined) throw new Refusal('code_pool_not_found')
      return codesOf(ctx, { ...ownerOf(request), ...found })
    },
  },
]

function ownerOf(request: FastifyRequest): { merchantId: number } {
  return { merchantId: callingMerchant(request).merchantId }
}

async function whoseOf(
  request: FastifyRequest,
  { playerId }: ExportQuery,
): Promise<{ merchantId: number; player: Player | undefined }> {
  const player = playerId === undefined ? undefined : await playerOf(request, playerId)
  return { ...ownerOf(request), player }
}

/** Without `to`, an export ends now, so that it has an end. */
function rangeOf(request: FastifyRequest, query: ExportQuery): { from: Date; to: Date } {
  return {
    from: momentIn('from', query.from) ?? new Date(0),
    to: momentIn('to', query.to) ?? nowOf(request),
  }
}
