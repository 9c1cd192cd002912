import { isDeepStrictEqual } from 'node:util'
import { hashing } from '../src/plays/seeds.ts'
import { verifyPlay } from '../src/plays/verify-play.ts'
import type { Call } from './history.ts'
import type { Receiver, ToldEvent } from './listeners.ts'
import { Game } from './model.ts'
import type { Entry, Reading, ReadPlay } from './read-back.ts'

/** A promise that was not kept, and one case of it. */
export type Finding = { what: string; example: unknown }

export type Evidence = {
  calls: readonly Call[]
  reading: Reading
  receiver: Receiver
  /** What the reader was told along the way. */
  followed: readonly ToldEvent[]
  /** The first event that the webhook had to be sent. */
  webhookFrom: number
  deadlocks: number
  /** Refusals that this fault explains, besides those that belong to the game. */
  allowedCodes: readonly string[]
  /** Whether wheels were published or paused meanwhile: then a play may be out of date by that. */
  wheelChanges: boolean
  /** How many of each limited prize there were, at the least, while the round went on. */
  stockAtFirst: Readonly<Record<string, number>>
}

/** Compares every answer, and everything that can be read at the end, with what the model says. */
export function judge(evidence: Evidence): Finding[] {
  const findings = new Findings()
  const lives = replay(evidence, findings)
  judgeAnswers(evidence, lives, findings)
  judgePlays(evidence, findings)
  judgePrizes(evidence, lives, findings)
  judgeEvents(evidence, findings)
  // While it is behind, nobody knows what is still to come.
  if (evidence.reading.lag === 0) judgeWebhooks(evidence, findings)
  for (const { check, count, examples } of evidence.reading.audit.findings)
    findings.add(`audit: ${check} (${count} rows)`, examples[0])
  if (evidence.deadlocks > 0)
    findings.add('transactions deadlocked: locks are not taken in one order', evidence.deadlocks)
  return findings.list
}

class Findings {
  readonly #seen = new Map<string, { example: unknown; count: number }>()

  add(what: string, example: unknown): void {
    const seen = this.#seen.get(what)
    if (seen === undefined) this.#seen.set(what, { example, count: 1 })
    else seen.count++
  }

  check(holds: boolean, what: string, example: unknown): void {
    if (!holds) this.add(what, example)
  }

  get list(): Finding[] {
    return [...this.#seen].map(([what, { example, count }]) => ({ what: `${what} (${count}×)`, example }))
  }
}

/** A player's entries in their order, each with the time in which it must have come about. */
type Step = Entry & { from: number; to: number }
type Lives = { game: Game; steps: Map<string, Step[]>; madeKeys: Map<string, Entry> }

/** Feeds the model with what the ledger says, in its order, and looks whether somebody asked for each of it. */
function replay({ calls, reading }: Evidence, findings: Findings): Lives {
  const game = new Game()
  const asked = Map.groupBy(calls, (call) => effectOf(call))
  const plays = new Map(reading.plays.map((play) => [play.playId, play]))
  const steps = new Map<string, Step[]>()
  const madeKeys = new Map<string, Entry>()
  for (const [playerId, entries] of Map.groupBy(reading.entries, (entry) => entry.playerId)) {
    const own = entries.toSorted((a, b) => a.entry - b.entry)
    steps.set(
      playerId,
      own.map((entry) => {
        const causes = asked.get(effectOfEntry(entry)) ?? []
        findings.check(causes.length > 0, 'the ledger has an entry that nobody asked for', entry)
        if (entry.kind === 'grant' && entry.amount >= 1_000) madeKeys.set(effectOfEntry(entry), entry)
        carryOut(game, entry, plays, findings)
        const spinCount = game.account(playerId).spinCount
        const isPlayWithPrize = entry.kind === 'play' && spinsOf(plays.get(entry.key)) > 0
        if (!isPlayWithPrize)
          findings.check(spinCount === entry.balanceAfter, 'a balance is not what the model says', {
            entry,
            spinCount,
          })
        return { ...entry, ...windowOf(causes) }
      }),
    )
  }
  for (const { playerId, spinCount, playCount } of reading.players) {
    const account = game.account(playerId)
    findings.check(
      account.spinCount === spinCount && account.playCount === playCount,
      'a player is not as the model says',
      { playerId, spinCount, playCount, account },
    )
  }
  for (const own of steps.values()) judgeOrder(own, findings)
  return { game, steps, madeKeys }
}

function carryOut(game: Game, entry: Entry, plays: ReadonlyMap<string, ReadPlay>, findings: Findings): void {
  const { playerId, kind, key, amount } = entry
  if (kind === 'grant') {
    const answer = game.grant({ playerId, key, amount })
    findings.check('spinCount' in answer && !answer.isReplay, 'a key had its effect twice', entry)
  } else if (kind === 'initial')
    findings.check(game.welcome(playerId, amount), 'a player was welcomed twice', entry)
  else if (kind === 'play') {
    const answer = game.play(playerId, spinsOf(plays.get(key)))
    findings.check('playNumber' in answer, 'somebody played without a spin', entry)
    const playNumber = 'playNumber' in answer ? answer.playNumber : 0
    findings.check(plays.get(key)?.playNumber === playNumber, 'plays are not numbered as they came', {
      entry,
      playNumber,
    })
  } else if (kind === 'prize')
    findings.check(spinsOf(plays.get(key)) === amount, 'spins were given that no play had won', entry)
  else findings.add('the ledger has an entry of a kind that nobody asked for', entry)
}

function spinsOf(play: ReadPlay | undefined): number {
  return play?.won === true ? (play.prize.spins ?? 0) : 0
}

/** What a call has done if it has done anything, as a name that its entry has too. */
function effectOf(call: Call): string {
  const { kind, playerId, key, amount } = call
  if (kind === 'grant') return key === undefined ? `made ${playerId} ${amount}` : `grant ${playerId} ${key}`
  if (kind === 'link' && amount > 0) return `initial ${playerId}`
  if (kind === 'play') return `play ${playerId} ${key}`
  return kind
}

function effectOfEntry({ kind, playerId, key, amount }: Entry): string {
  if (kind === 'grant') return amount >= 1_000 ? `made ${playerId} ${amount}` : `grant ${playerId} ${key}`
  if (kind === 'initial') return `initial ${playerId}`
  return `play ${playerId} ${key}`
}

/** It came about after the first who asked for it began, and before the first who was told so had its answer. */
function windowOf(causes: readonly Call[]): { from: number; to: number } {
  let from = Infinity
  let to = Infinity
  for (const call of causes) {
    from = Math.min(from, call.sentAt)
    if (call.outcome === 'ok') to = Math.min(to, call.answeredAt)
  }
  return { from, to }
}

/** What was over before something else began must stand before it. */
function judgeOrder(steps: readonly Step[], findings: Findings): void {
  let firstEnd: Step | undefined
  for (const step of steps.toReversed()) {
    findings.check(
      firstEnd === undefined || firstEnd.to >= step.from,
      'the ledger has two entries in another order than they happened',
      { first: step, second: firstEnd },
    )
    if (firstEnd === undefined || step.to < firstEnd.to) firstEnd = step
  }
}

/** The balances that a player can have had between two moments. */
function possibleBalances(steps: readonly Step[], from: number, to: number): Set<number> {
  let first = 0
  let last = 0
  for (const [place, step] of steps.entries()) if (step.to < from) first = place + 1
  while (last < steps.length && (steps[last] as Step).from <= to) last++
  const balances = new Set<number>()
  for (let count = first; count <= Math.max(first, last); count++)
    balances.add(count === 0 ? 0 : (steps[count - 1] as Step).balanceAfter)
  return balances
}

const gameCodes = [
  'idempotency_key_reused',
  'no_spins',
  'play_outdated',
  'prize_settled',
  'overloaded',
  'rate_limited',
  'request_timeout',
  'player_not_found',
]

function judgeAnswers(evidence: Evidence, { game, steps, madeKeys }: Lives, findings: Findings): void {
  const { calls, reading, allowedCodes, wheelChanges } = evidence
  const plays = new Map(reading.plays.map((play) => [play.playId, play]))
  const known = new Set(reading.players.map(({ playerId }) => playerId))
  for (const call of calls) {
    const { kind, playerId, key, amount, outcome, code, body } = call
    const own = steps.get(playerId) ?? []
    const balances = () => possibleBalances(own, call.sentAt, call.answeredAt)
    if (outcome === 'unknown') {
      const isNoAnswer = call.status === 0 || [502, 503, 504].includes(call.status)
      findings.check(isNoAnswer, `an answer that must never be: ${call.status} ${code ?? ''}`, call)
      continue
    }
    if (outcome === 'refused')
      findings.check(
        gameCodes.includes(code ?? '') || allowedCodes.includes(code ?? ''),
        `a refusal without a reason: ${call.status} ${code ?? ''}`,
        call,
      )
    if (outcome === 'ok' && kind !== 'look')
      findings.check(known.has(playerId), 'a player of an acknowledged request is lost', call)
    if (kind === 'look' && outcome === 'ok')
      findings.check(balances().has(Number(body.spinCount)), 'a reading shows what never was', {
        call,
        possible: [...balances()],
      })
    if (kind === 'grant' && key !== undefined) {
      const isDone = game.isDone(playerId, key)
      if (outcome === 'ok') {
        findings.check(isDone, 'an acknowledged grant is lost', call)
        const answer = isDone ? game.grant({ playerId, key, amount }) : undefined
        const spinCount = answer !== undefined && 'spinCount' in answer ? answer.spinCount : undefined
        findings.check(
          !isDone || spinCount === body.spinCount,
          'a grant was answered otherwise than the model says',
          {
            call,
            answer,
          },
        )
      } else if (code === 'idempotency_key_reused') {
        const answer = isDone ? game.grant({ playerId, key, amount }) : undefined
        findings.check(
          answer !== undefined && 'code' in answer,
          'a key was refused that was not used before',
          call,
        )
      }
    }
    if (kind === 'grant' && key === undefined) {
      const entry = madeKeys.get(effectOf(call))
      if (outcome === 'ok') {
        findings.check(entry !== undefined, 'an acknowledged grant without a key is lost', call)
        findings.check(
          entry === undefined || entry.balanceAfter === body.spinCount,
          'a grant was answered otherwise than the model says',
          { call, entry },
        )
      } else findings.check(entry === undefined, 'a refused grant is in the ledger', { call, entry })
    }
    if (kind === 'link' && outcome === 'ok')
      findings.check(game.account(playerId).isWelcomed, 'a newcomer never got its first spins', call)
    if (kind === 'play') {
      const play = plays.get(key ?? '')
      if (outcome === 'ok') {
        const { play: told, spinCount } = body as { play: ReadPlay; spinCount: number }
        findings.check(play !== undefined, 'an acknowledged play is lost', call)
        findings.check(
          play === undefined || isSamePlay(told, play),
          'a play was told otherwise than it is kept',
          { told, play },
        )
        findings.check(balances().has(spinCount), 'a play was answered with a balance that never was', {
          call,
          possible: [...balances()],
        })
      } else if (code === 'no_spins')
        findings.check(balances().has(0), 'a play was refused though there were spins', {
          call,
          possible: [...balances()],
        })
      else if (code === 'play_outdated' && !wheelChanges)
        findings.check(play === undefined, 'a play was refused and done', { call, play })
    }
  }
}

function isSamePlay(told: ReadPlay, kept: ReadPlay): boolean {
  return Object.entries(told).every(([name, value]) => isDeepStrictEqual(value, kept[name as keyof ReadPlay]))
}

/** Every outcome is computed again from what was published before and shown after. */
function judgePlays({ reading }: Evidence, findings: Findings): void {
  for (const play of reading.plays) {
    const published = reading.versions.get(play.proof.versionHash)
    const steps = published === undefined ? [] : verifyPlay(play, published, hashing)
    const wrong = steps.find((step) => !step.holds)
    findings.check(published !== undefined && wrong === undefined, 'an outcome can not be computed again', {
      play,
      wrong,
    })
  }
  const ids = new Set(reading.plays.map(({ playId }) => playId))
  findings.check(ids.size === reading.plays.length, 'a play is there twice', undefined)
}

function judgePrizes(evidence: Evidence, { game }: Lives, findings: Findings): void {
  const { calls, reading, stockAtFirst, allowedCodes } = evidence
  const won = Map.groupBy(
    reading.plays.filter((play) => play.won && play.fallbackReason === null),
    (play) => play.prizeId,
  )
  for (const { prize, stock, given } of reading.stocks) {
    const count = won.get(prize)?.length ?? 0
    findings.check(stock === null || given <= stock, 'a prize was given beyond its stock', {
      prize,
      stock,
      given,
    })
    findings.check(count === given, 'the count of a prize is not what was won', { prize, given, count })
  }
  for (const play of reading.plays.filter(({ fallbackReason }) => fallbackReason === 'out_of_stock')) {
    const { drawn, versionHash } = play.proof
    const drawnId = prizeIdAt(reading.versions.get(versionHash), drawn, evidence)
    const stock = stockAtFirst[drawnId ?? '']
    findings.check(
      drawnId === undefined || stock === undefined || (won.get(drawnId)?.length ?? 0) >= stock,
      'a prize was said to be out of stock and was not',
      play,
    )
  }
  const codes = reading.plays.flatMap(({ prize }) => (prize.kind === 'code' ? (prize.code ?? []) : []))
  findings.check(new Set(codes).size === codes.length, 'a code was given twice', codes)
  findings.check(reading.pool.taken === codes.length, 'the count of codes is not what was won', {
    pool: reading.pool,
    codes: codes.length,
  })

  const byPlay = Map.groupBy(
    calls.filter(({ kind }) => kind === 'claim' || kind === 'redemption'),
    (call) => call.playId as string,
  )
  const prizes = new Map(reading.prizes.map((prize) => [prize.playId, prize]))
  for (const [playId, own] of byPlay) {
    const prize = prizes.get(playId)
    const redeemed = own.filter(({ kind, outcome }) => kind === 'redemption' && outcome === 'ok')
    findings.check(
      new Set(redeemed.map(({ key }) => key)).size <= 1,
      'a prize was handed over twice',
      redeemed,
    )
    if (redeemed.length > 0)
      findings.check(prize?.state === 'redeemed', 'an acknowledged redemption is lost', { prize, redeemed })
    const claimed = own.filter(({ kind, outcome }) => kind === 'claim' && outcome === 'ok')
    if (claimed.length > 0)
      findings.check(
        prize?.state === 'claimed' || prize?.state === 'redeemed',
        'an acknowledged claim is lost',
        { prize, claimed },
      )
    // Those that were told so went first; whoever was refused must find it settled by somebody else.
    for (const { key } of claimed.slice(0, 1)) if (key !== undefined) game.claim(playId)
    for (const { key } of redeemed) game.redeem(playId, key ?? '')
    for (const call of own.filter(({ outcome }) => outcome === 'refused')) {
      if (call.code !== 'prize_settled' || allowedCodes.includes('prize_settled')) continue
      const others = own.filter((other) => other.kind === 'redemption' && other.outcome !== 'refused')
      const isRightly = others.some((other) => other.key !== call.key || call.kind === 'claim')
      findings.check(isRightly, 'a prize was refused that nobody had taken', { call, own })
    }
  }
}

/** The published text names no ids; the plays that came to rest there do. */
function prizeIdAt(
  published: string | undefined,
  segment: number,
  { reading }: Evidence,
): string | undefined {
  return reading.plays.find(
    (play) =>
      play.segment === segment &&
      play.fallbackReason === null &&
      reading.versions.get(play.proof.versionHash) === published,
  )?.prizeId
}

function judgeEvents({ calls, reading, followed }: Evidence, findings: Findings): void {
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
function judgeWebhooks({ reading, receiver, webhookFrom }: Evidence, findings: Findings): void {
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
