import { readBody } from '../src/events/page-body.ts'
import { type Finding, Findings } from './evidence.ts'
import type { Call } from './history.ts'
import type { FaultContext } from './round.ts'

/** Of `main` anybody may type any address; at `coded` a code proves it. */
export const entryCampaigns = ['main', 'coded'] as const
export type EntryCampaign = (typeof entryCampaigns)[number]

/** Who was let into the game, as which player. */
export type Answered = { person: string; campaign: EntryCampaign; playerId: string }

type Told = {
  merchantId: number
  calls: readonly Call[]
  answered: readonly Answered[]
  /** Everybody who tried. */
  asked: ReadonlySet<string>
}

type Entered = { entryId: string; playerId: string; campaign: string; grants: number; spins: number }

/** Compares what visitors were answered with the database. The audit of the round has compared its tables. */
export async function judgeEntries({ scene, log }: FaultContext, told: Told): Promise<Finding[]> {
  const { merchantId, calls, answered, asked } = told
  const findings = new Findings()
  const query = <Row extends object>(text: string) =>
    scene.postgres.query<Row>(text, [merchantId], 'wheelhouse')
  const entered = await query<Entered>(readEntered)
  const bodies = await query<{ body: string }>(readBodies)
  const created = bodies.flatMap(({ body }) => readBody(body)).filter(([type]) => type === 'entry.created')
  const eventsOf = Map.groupBy(created, ([, , data]) => (data as { entryId: string }).entryId)
  for (const one of entered) {
    findings.check(one.grants === 1 && one.spins === 2, 'an entry did not give its spins once', one)
    findings.check(eventsOf.get(one.entryId)?.length === 1, 'an entry has not one event', one)
  }
  const names = new Set(entered.map(({ playerId, campaign }) => `${playerId} ${campaign}`))
  for (const one of answered)
    findings.check(names.has(`${one.playerId} ${one.campaign}`), 'an acknowledged entry is lost', one)
  const ownersOf = Map.groupBy(answered, ({ playerId }) => playerId)
  const playersOf = Map.groupBy(answered, ({ person }) => person)
  for (const [person, own] of playersOf)
    findings.check(
      new Set(own.map(({ playerId }) => playerId)).size === 1,
      'an address is two players',
      person,
    )
  for (const [playerId, own] of ownersOf)
    findings.check(
      new Set(own.map(({ person }) => person)).size === 1,
      'two addresses are one player',
      playerId,
    )
  const players = new Set(entered.map(({ playerId }) => playerId)).size
  findings.check(players <= asked.size, 'there are more players than people', { players, people: asked.size })
  const [row] = await query<{ count: number }>(countPlayers)
  findings.check(row?.count === players, 'there are players without an entry', { row, players })
  const counts = await query<{ entered: number }>(readCounts)
  const counted = counts.reduce((sum, one) => sum + one.entered, 0)
  findings.check(counted === entered.length, 'entries are counted wrong', {
    counted,
    entries: entered.length,
  })
  findings.check(answered.length > 0, 'nobody entered', undefined)
  const unknown = calls.filter(({ outcome }) => outcome === 'unknown')
  for (const call of unknown)
    findings.check([0, 502, 503, 504].includes(call.status), 'an answer that must never occur', call)
  const figures = `${players} players with ${entered.length} entries, of ${asked.size} people`
  log(`visitors: ${figures}; ${calls.length} requests, ${unknown.length} without an answer`)
  return findings.list
}

const readEntered = `
select
  entry_id as "entryId",
  players.player_id as "playerId",
  case when campaign_id = 0 then 'main' else 'coded' end as campaign,
  coalesce(grants, 0)::int as grants,
  coalesce(spins, 0)::int as spins
from visitor_entries
join players using (shard, player_no)
left join (
  select shard, player_no, coalesce(campaign_id, 0) as campaign_id, count(*) as grants, sum(amount) as spins
  from ledger_entries
  where kind = 'entry'
  group by 1, 2, 3
) as granted using (shard, player_no, campaign_id)
where visitor_entries.merchant_id = $1`

const readBodies = 'select body from event_pages where merchant_id = $1'

const countPlayers = 'select count(*)::int as count from players where merchant_id = $1'

const readCounts = 'select entered from entry_counts where merchant_id = $1'
