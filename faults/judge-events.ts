import { isDeepStrictEqual } from 'node:util'
import type { Evidence, Findings } from './evidence.ts'
import type { Call } from './history.ts'
import type { ApiEvent } from './listeners.ts'
import type { Reading } from './read-back.ts'

export function judgeEvents({ calls, reading, followed }: Evidence, findings: Findings): void {
  const { events } = reading
  for (const [place, event] of events.entries())
    findings.check(event.seq === place + 1, 'events are not numbered without a gap', event)
  findings.check(
    new Set(events.map(({ id }) => id)).size === events.length,
    'an event is in the log twice',
    undefined,
  )
  for (const [place, event] of followed.entries())
    findings.check(
      isDeepStrictEqual(event, events[place]),
      'the log changed after it was read, or the reader received something else',
      { received: event, stored: events[place] },
    )

  const expected = countOf(expectedEvents(calls, reading))
  const logged = countOf(events.flatMap((event) => nameOfEvent(event) ?? []))
  for (const [name, count] of expected)
    findings.check(logged.get(name) === count, `an event is missing or logged twice: ${name.split(' ')[0]}`, {
      name,
      count,
      logged: logged.get(name) ?? 0,
    })
  for (const [name, count] of logged)
    findings.check(
      expected.has(name),
      `an event reports something that did not happen: ${name.split(' ')[0]}`,
      {
        name,
        count,
      },
    )
  judgeLinks(calls, events, findings)
}

/** The events that must be in the log. Each is named by its type and all fields that are compared. */
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

function nameOfEvent({ type, data }: ApiEvent): string | undefined {
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

/** Links leave nothing but events: one for each acknowledged link, and at most one for each whose answer was lost. */
function judgeLinks(calls: readonly Call[], events: readonly ApiEvent[], findings: Findings): void {
  const logged = countOf(
    events.filter(({ type }) => type === 'link.created').map(({ data }) => String(data.linkId)),
  )
  for (const [linkId, count] of logged)
    findings.check(count === 1, 'a link has two link.created events', { linkId, count })
  const links = calls.filter(({ kind }) => kind === 'link')
  const handedOut = links
    .filter(({ outcome }) => outcome === 'ok')
    .map(({ body }) => linkIdOf(String(body.token)))
  for (const linkId of handedOut)
    findings.check(logged.has(linkId), 'an acknowledged link has no event', linkId)
  const lost = links.filter(({ outcome }) => outcome === 'unknown').length
  findings.check(logged.size <= handedOut.length + lost, 'there are more link.created events than requests', {
    logged: logged.size,
    handedOut: handedOut.length,
    lost,
  })
  const opened = calls.filter(({ kind, outcome }) => kind === 'open' && outcome === 'ok').length
  const openings = events.filter(({ type }) => type === 'link.opened').length
  findings.check(openings >= opened, 'there are fewer link.opened events than opened links', {
    openings,
    opened,
  })
}

function linkIdOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
  return claims.jti
}

/** Every event has reached the receiver with the id and content of the log, or is listed as waiting or dead. */
export function judgeWebhooks({ reading, receiver, webhookFrom }: Evidence, findings: Findings): void {
  for (const complaint of receiver.complaints) findings.add(`an invalid webhook: ${complaint}`, complaint)
  const known = new Map(reading.events.map((event) => [event.id, event]))
  for (const event of reading.events.filter(({ seq }) => seq >= webhookFrom)) {
    const received = receiver.received.get(event.id)
    findings.check(
      received !== undefined || reading.unsent.has(event.id),
      'an event never reached the webhook',
      event,
    )
    if (received !== undefined)
      findings.check(isDeepStrictEqual(JSON.parse(received.text), event), 'a webhook differs from the log', {
        received,
        event,
      })
  }
  for (const [id, { text }] of receiver.received)
    findings.check(known.has(id), 'a webhook carried an event that is not in the log', text)
}
