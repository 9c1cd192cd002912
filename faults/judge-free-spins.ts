import { type Finding, Findings } from './evidence.ts'
import type { Call } from './history.ts'
import type { ScenePostgres } from './postgres.ts'

/** Players of `main` collect by opening the game, those of `later` only by playing. */
export type Campaign = 'main' | 'later'

/** All requests of visitors, and the answers that they got. */
type Told = {
  merchantId: number
  calls: readonly Call[]
  /** Periods that an answer has shown as collected, by their names. */
  collected: ReadonlySet<string>
  /** By the id of the play. */
  plays: ReadonlyMap<string, Call['outcome']>
}

type Given = { playerId: string; campaign: Campaign; period: number }

export function periodName({ playerId, campaign, period }: Given): string {
  return `${playerId} ${campaign} ${period}`
}

/** Compares the answers that players got with the database. `periodsEach`: how many periods each player must have. */
export async function judgeFreeSpins(
  postgres: ScenePostgres,
  told: Told,
  { periodsEach, log }: { periodsEach?: number; log: (line: string) => void },
): Promise<Finding[]> {
  const { merchantId, calls, collected } = told
  const findings = new Findings()
  const given = await postgres.query<Given>(readGiven, [merchantId], 'wheelhouse')
  const played = await postgres.query<{ playId: string }>(readPlays, [merchantId], 'wheelhouse')
  judgePeriods(given, periodsEach, findings)
  const names = new Set(given.map(periodName))
  for (const name of collected)
    findings.check(names.has(name), 'a period that was acknowledged is lost', name)
  findings.check(collected.size > 0, 'nothing was collected', undefined)
  judgePlays(new Set(played.map(({ playId }) => playId)), told.plays, findings)
  const unknown = calls.filter(({ outcome }) => outcome === 'unknown')
  for (const call of unknown)
    findings.check([0, 502, 503, 504].includes(call.status), 'an answer that must never occur', call)
  const figures = `${given.length} periods given, ${collected.size} acknowledged; ${played.length} plays`
  log(`free spins: ${figures}; ${calls.length} requests, ${unknown.length} without an answer`)
  return findings.list
}

function judgePeriods(given: readonly Given[], count: number | undefined, findings: Findings): void {
  for (const [name, own] of Map.groupBy(given, ({ playerId, campaign }) => `${playerId} ${campaign}`)) {
    const periods = own.map(({ period }) => period)
    const isRising = periods.every((period, place) => place === 0 || period > (periods[place - 1] ?? 0))
    findings.check(isRising, 'a period was given twice, or after a later one', { name, periods })
    if (count !== undefined)
      findings.check(periods.length === count, `a player has not ${count} periods`, { name, periods })
  }
}

function judgePlays(played: ReadonlySet<string>, asked: Told['plays'], findings: Findings): void {
  for (const [playId, outcome] of asked) {
    const isPlayed = played.has(playId)
    findings.check(outcome !== 'ok' || isPlayed, 'a play that was acknowledged is lost', playId)
    findings.check(outcome !== 'refused' || !isPlayed, 'a play that was refused took effect', playId)
  }
  for (const playId of played) findings.check(asked.has(playId), 'a play was not requested', playId)
}

const readGiven = `
select
  player_id as "playerId",
  case when campaign_id is null then 'main' else 'later' end as campaign,
  split_part(key, '-', 3)::int as period
from ledger_entries
join players using (shard, player_no)
where ledger_entries.merchant_id = $1
and kind = 'free'
order by shard, player_no, entry_no`

const readPlays = 'select play_id as "playId" from plays where merchant_id = $1'
