import { isDeepStrictEqual } from 'node:util'
import type { Evidence, Findings } from './evidence.ts'
import type { Call } from './history.ts'
import type { ToldEvent } from './listeners.ts'
import type { Reading } from './read-back.ts'

export function judgeEvents({ calls, reading, followed }: Evidence, findings: Findings): void {
  const { events } = reading
  for (const [place, event] of events.entries())
    findings.check(event.seq === place + 1, 'events are not numbered without a gap', event)
  findings.check(
    new Set(events.map(({ id }) => id)).size === events.length,
    'an event is there twice',
    undefined,
  )
  for (const [place, event] of followed.entries())
    findings.check(
      isDeepStrictEqual(event, events[place]),
      'the log changed behind a reader, or told it something else',
      { told: event, kept: events[place] },
    )

  const expected = countOf(expectedEvents(calls, reading))
  const told = countOf(events.flatMap((event) => nameOfEvent(event) ?? []))
  for (const [name, count] of expected)
    findings.check(told.get(name) === count, `an event is missing or told twice: ${name.split(' ')[0]}`, {
      name,
      count,
      told: told.get(name) ?? 0,
    })
  for (const [name, count] of told)
    findings.check(expected.has(name), `an event tells what did not happen: ${name.split(' ')[0]}`, {
      name,
      count,
    })
  judgeLinks(calls, events, findings)
}

/** What must be told, by names that hold everything that counts. */
function expectedEvents(calls: readonly Call[], reading: Reading): string[] {
  const keys = new Set(calls.flatMap(({ kind, key }) => (kind === 'grant' && key !== undefined ? key : [])))
  const balances = new Map<string, { before: number; after: number }>()
  for (const { kind, key, playerId, amount, balanceAfter } of reading.entries) {
    const name = `${playerId} ${key}`
    if (kind === 'play') balances.set(name, { before: balanceAfter - amount, after: balanceAfter })
    const played = kind === 'prize' ? balances.get(name) : undefined
    if (played !== undefined) played.after = balanceAfter
  }
  return [
    ...reading.players.map(({ playerId }) => `player.created ${playerId}`),
    ...reading.entries
      .filter(({ kind }) => kind !== 'play')
      .map(({ playerId, kind, amount, balanceAfter, key }) =>
        [
          'spins.granted',
          playerId,
          kind,
          amount,
          balanceAfter - amount,
          balanceAfter,
          kind === 'grant' && keys.has(key) ? key : null,
        ].join(' '),
      ),
    ...reading.plays.map(({ playerId, playId, playNumber, segment, won, fallbackReason }) => {
      const { before, after } = balances.get(`${playerId} ${playId}`) ?? { before: NaN, after: NaN }
      return [
        'play.completed',
        playerId,
        playId,
        playNumber,
        segment,
        won,
        fallbackReason,
        before,
        after,
      ].join(' ')
    }),
    ...reading.plays.filter(({ won }) => won).map(({ playId, prizeId }) => `prize.won ${playId} ${prizeId}`),
    ...reading.prizes.flatMap((prize) => {
      const { playId, state, claimedAt } = prize
      return [
        ...(claimedAt !== null ? [`prize.claimed ${playId}`] : []),
        ...(state === 'redeemed' ? [`prize.redeemed ${playId}`] : []),
        ...(state === 'expired' ? [`prize.expired ${playId}`] : []),
      ]
    }),
  ]
}

function nameOfEvent({ type, data }: ToldEvent): string | undefined {
  const fields: Record<string, string[]> = {
    'player.created': ['playerId'],
    'spins.granted': ['playerId', 'kind', 'amount', 'oldBalance', 'newBalance', 'idempotencyKey'],
    'play.completed': [
      'playerId',
      'playId',
      'playNo',
      'segment',
      'won',
      'fallbackReason',
      'oldBalance',
      'newBalance',
    ],
    'prize.won': ['playId', 'prizeId'],
    'prize.claimed': ['playId'],
    'prize.redeemed': ['playId'],
    'prize.expired': ['playId'],
  }
  const own = fields[type]
  return own === undefined ? undefined : [type, ...own.map((field) => data[field] as string)].join(' ')
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** Links leave nothing but their events: one for each that was handed out, and at most one for each whose answer was lost. */
function judgeLinks(calls: readonly Call[], events: readonly ToldEvent[], findings: Findings): void {
  const told = countOf(
    events.filter(({ type }) => type === 'link.created').map(({ data }) => String(data.linkId)),
  )
  for (const [linkId, count] of told) findings.check(count === 1, 'a link was told twice', { linkId, count })
  const links = calls.filter(({ kind }) => kind === 'link')
  const handedOut = links
    .filter(({ outcome }) => outcome === 'ok')
    .map(({ body }) => linkIdOf(String(body.token)))
  for (const linkId of handedOut)
    findings.check(told.has(linkId), 'a link was handed out and not told', linkId)
  const lost = links.filter(({ outcome }) => outcome === 'unknown').length
  findings.check(told.size <= handedOut.length + lost, 'links were told that nobody asked for', {
    told: told.size,
    handedOut: handedOut.length,
    lost,
  })
  const opened = calls.filter(({ kind, outcome }) => kind === 'open' && outcome === 'ok').length
  const openings = events.filter(({ type }) => type === 'link.opened').length
  findings.check(openings >= opened, 'links were opened and that was not told', { openings, opened })
}

function linkIdOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
  return claims.jti
}

/** Every event has reached the receiver under its id and as it stands in the log, or stands where it can be seen that it has not. */
export function judgeWebhooks({ reading, receiver, webhookFrom }: Evidence, findings: Findings): void {
  for (const complaint of receiver.complaints)
    findings.add(`a webhook that must not be: ${complaint}`, complaint)
  const known = new Map(reading.events.map((event) => [event.id, event]))
  for (const event of reading.events.filter(({ seq }) => seq >= webhookFrom)) {
    const received = receiver.received.get(event.id)
    findings.check(
      received !== undefined || reading.unsent.has(event.id),
      'an event never reached the webhook',
      event,
    )
    if (received !== undefined)
      findings.check(
        isDeepStrictEqual(JSON.parse(received.text), event),
        'a webhook tells something else than the log',
        {
          received,
          event,
        },
      )
  }
  for (const [id, { text }] of receiver.received)
    findings.check(known.has(id), 'a webhook told of an event that is not in the log', text)
}
