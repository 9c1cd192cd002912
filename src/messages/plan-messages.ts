import { campaignOfEvent, type EventType } from '../events/event-types.ts'
import type { LoggedEvent } from '../events/event-log.ts'
import { type Queryable, statement } from '../db/database.ts'
import { wonLifeSeconds } from '../mails/mail-kinds.ts'
import type { NewMail } from '../mails/mail-rows.ts'
import { shardOf } from '../players/shard.ts'
import { isSettledKind } from '../prize-kinds/prize-kinds.ts'
import { listMessageSettings, type MessageSettings } from './message-settings.ts'
import { newUnsubscribeData, type UnsubscribeData } from './unsubscribe.ts'

/** The events that lead to messages. */
export const plannedFrom = [
  'prize.held',
  'prize.won',
  'spins.granted',
  'spins.expiring',
] as const satisfies readonly EventType[]

const dayMs = 86_400_000
/** A reminder comes so long before the last day, or after half of a shorter time. */
const reminderMs = 3 * dayMs
/** A shorter time to claim has no reminder. */
const reminderPeriodMsMin = dayMs
/** Players who have not played for so long are told about their spins. */
const waitingMs = dayMs
/** So long this can be put off: to the morning, or because the player has played. */
const waitingLifeMs = 3 * dayMs

/** What the row of a message about a prize refers to. `isHeld`: it says that the prize is being checked. */
export type PrizeMailData = { playId: string; isHeld?: true }

/** What the row of a message about spins refers to. `expiresAt`: those that expire on that day. */
export type SpinMailData = UnsubscribeData & { expiresAt?: string }

type Planner = { merchantId: number; settings: MessageSettings; campaignId: number; player: PlayerNumber }
type PlayerNumber = { shard: number; playerNo: number }

/** The messages that events lead to, by what the campaigns have switched on now. */
export async function planMessages(
  db: Queryable,
  merchantId: number,
  events: readonly LoggedEvent[],
): Promise<NewMail[]> {
  const all = await listMessageSettings(db, merchantId)
  const ofCampaign = new Map(all.map((one) => [one.slug, one]))
  const wanted = events.flatMap((event) => {
    const { type, data } = event
    if (!('playerId' in data) || typeof data.playerId !== 'string') return []
    const campaign = ofCampaign.get(campaignOfEvent(type, data) ?? 'main')
    return campaign === undefined ? [] : [{ event, campaign, playerId: data.playerId }]
  })
  const numbers = await readPlayerNumbers(db, merchantId, [
    ...new Set(wanted.map(({ playerId }) => playerId)),
  ])
  return wanted.flatMap(({ event, campaign: { campaignId, settings }, playerId }) => {
    const player = numbers.get(playerId)
    if (player === undefined) return []
    const planner = { merchantId, settings, campaignId, player }
    if (event.type === 'prize.held') return planHeld(planner, event)
    if (event.type === 'prize.won') return planPrize(planner, event)
    if (event.type === 'spins.granted') return planWaiting(planner, event)
    return event.type === 'spins.expiring' ? planExpiring(planner, event) : []
  })
}

function planPrize(
  { settings, player, ...rest }: Planner,
  { at, data }: LoggedEvent<'prize.won'>,
): NewMail[] {
  if (!isSettledKind(data.kind)) return []
  const { won, claim_ends: claimEnds } = settings.kinds
  const wonAt = new Date(at)
  const cause = `${player.playerNo} ${data.playId}`
  const mail = { ...rest, ...player, cause, plannedAt: wonAt, data: { playId: data.playId } }
  const lastMoment = data.claimBefore === null ? undefined : new Date(data.claimBefore)
  const periodMs = (lastMoment?.getTime() ?? 0) - wonAt.getTime()
  const lives = new Date(wonAt.getTime() + wonLifeSeconds * 1000)
  const remindAt = new Date(wonAt.getTime() + Math.max(periodMs / 2, periodMs - reminderMs))
  const planned: NewMail[] = []
  if (won.isOn) planned.push({ ...mail, kind: 'won', dueAt: wonAt, expiresAt: lives })
  if (claimEnds.isOn && lastMoment !== undefined && periodMs >= reminderPeriodMsMin)
    planned.push({ ...mail, kind: 'claim_ends', dueAt: remindAt, expiresAt: lastMoment })
  return planned
}

/** The message with the prize itself follows its release. */
function planHeld(
  { settings, player, ...rest }: Planner,
  { at, data }: LoggedEvent<'prize.held'>,
): NewMail[] {
  if (!settings.kinds.won.isOn) return []
  const wonAt = new Date(at)
  const cause = `${player.playerNo} ${data.playId} held`
  const expiresAt = new Date(wonAt.getTime() + wonLifeSeconds * 1000)
  const mailData: PrizeMailData = { playId: data.playId, isHeld: true }
  const times = { plannedAt: wonAt, dueAt: wonAt, expiresAt }
  return [{ ...rest, ...player, ...times, cause, kind: 'won', data: mailData }]
}

/** A day after a player got spins. However often that was on one day, there is one row. */
function planWaiting(
  { settings, player, ...rest }: Planner,
  { at, data }: LoggedEvent<'spins.granted'>,
): NewMail[] {
  if (!settings.kinds.spins_waiting.isOn || data.newBalance <= 0) return []
  const plannedAt = new Date(at)
  const dueAt = new Date(plannedAt.getTime() + waitingMs)
  const cause = `${player.playerNo} ${rest.campaignId} ${dayOf(at)}`
  const expiresAt = new Date(dueAt.getTime() + waitingLifeMs)
  const row = { ...rest, ...player, cause, plannedAt, dueAt, expiresAt, data: newUnsubscribeData() }
  return [{ ...row, kind: 'spins_waiting' }]
}

/** Once for the spins that expire on one day. */
function planExpiring(
  { settings, player, ...rest }: Planner,
  { at, data }: LoggedEvent<'spins.expiring'>,
): NewMail[] {
  if (!settings.kinds.spins_expire.isOn) return []
  const plannedAt = new Date(at)
  const day = dayOf(data.expiresAt)
  const cause = `${player.playerNo} ${rest.campaignId} ${day}`
  const expiresAt = new Date(Date.parse(day) + dayMs)
  const row = { ...rest, ...player, cause, plannedAt, dueAt: plannedAt, expiresAt }
  const mailData: SpinMailData = { ...newUnsubscribeData(), expiresAt: data.expiresAt }
  return [{ ...row, kind: 'spins_expire', data: mailData }]
}

/** The day of a time in UTC. */
export function dayOf(time: string): string {
  return time.slice(0, 10)
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
