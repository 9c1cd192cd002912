import { campaignOfEvent, type EventType } from '../events/event-types.ts'
import type { LoggedEvent } from '../events/event-log.ts'
import { type Queryable, statement } from '../db/database.ts'
import { wonLifeSeconds } from '../mails/mail-kinds.ts'
import type { NewMail } from '../mails/mail-rows.ts'
import { shardOf } from '../players/shard.ts'
import { isSettledKind } from '../prize-kinds/prize-kinds.ts'
import { listMessageSettings } from './message-settings.ts'

/** The events that lead to messages. */
export const plannedFrom = ['prize.won'] as const satisfies readonly EventType[]

/** A reminder comes so long before the last day, or after half of a shorter time. */
const reminderMs = 3 * 86_400_000
/** A shorter time to claim has no reminder. */
const reminderPeriodMsMin = 86_400_000

/** What the row of a message about a prize refers to. */
export type PrizeMailData = { playId: string }

/** The messages that events lead to, by what the campaigns have switched on now. */
export async function planMessages(
  db: Queryable,
  merchantId: number,
  events: readonly LoggedEvent[],
): Promise<NewMail[]> {
  const wins = events
    .filter((event) => event.type === 'prize.won')
    .filter(({ data }) => isSettledKind(data.kind))
  if (wins.length === 0) return []
  const settings = new Map((await listMessageSettings(db, merchantId)).map((one) => [one.slug, one]))
  const numbers = await readPlayerNumbers(db, merchantId, [...new Set(wins.map(({ data }) => data.playerId))])
  return wins.flatMap(({ type, at, data }) => {
    const campaign = settings.get(campaignOfEvent(type, data) ?? 'main')
    const player = numbers.get(data.playerId)
    if (campaign === undefined || player === undefined) return []
    const { won, claim_ends: claimEnds } = campaign.settings.kinds
    const wonAt = new Date(at)
    const mail = {
      ...player,
      merchantId,
      campaignId: campaign.campaignId,
      cause: `${player.playerNo} ${data.playId}`,
      plannedAt: wonAt,
      data: { playId: data.playId },
    }
    const lastMoment = data.claimBefore === null ? undefined : new Date(data.claimBefore)
    const periodMs = (lastMoment?.getTime() ?? 0) - wonAt.getTime()
    const lives = new Date(wonAt.getTime() + wonLifeSeconds * 1000)
    const remindAt = new Date(wonAt.getTime() + Math.max(periodMs / 2, periodMs - reminderMs))
    const planned: NewMail[] = []
    if (won.isOn) planned.push({ ...mail, kind: 'won', dueAt: wonAt, expiresAt: lives })
    if (claimEnds.isOn && lastMoment !== undefined && periodMs >= reminderPeriodMsMin)
      planned.push({ ...mail, kind: 'claim_ends', dueAt: remindAt, expiresAt: lastMoment })
    return planned
  })
}

async function readPlayerNumbers(db: Queryable, merchantId: number, playerIds: readonly string[]) {
  const rows = await db.query(readNumbers, [
    playerIds.map((playerId) => shardOf({ merchantId, playerId })),
    playerIds,
    merchantId,
  ])
  return new Map(rows.map(({ playerId, shard, playerNo }) => [playerId, { shard, playerNo }]))
}

const readNumbers = statement<{ playerId: string; shard: number; playerNo: number }>(
  `
select players.player_id as "playerId", players.shard, player_no as "playerNo"
from unnest($1::int[], $2::text[]) as wanted (shard, player_id)
join players
  on players.shard = wanted.shard
  and players.merchant_id = $3
  and players.player_id = wanted.player_id`,
  [1, 2],
)
