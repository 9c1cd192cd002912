import { isDeepStrictEqual } from 'node:util'
import { type Evidence, type Finding, Findings } from './evidence.ts'
import type { Call } from './history.ts'
import { judgeEvents, judgeWebhooks } from './judge-events.ts'
import { judgePlays, judgePrizes } from './judge-prizes.ts'
import { Game } from './model.ts'
import type { Entry, ReadPlay } from './read-back.ts'

/** Compares every answer, and everything that can be read at the end, with the model. */
export function judge(evidence: Evidence): Finding[] {
  const findings = new Findings()
  const replayed = replay(evidence, findings)
  judgeAnswers(evidence, replayed, findings)
  judgePlays(evidence, findings)
  judgePrizes(evidence, findings)
  judgeEvents(evidence, findings)
  // While deliveries lag behind, a missing webhook may still arrive.
  if (evidence.reading.lag === 0) judgeWebhooks(evidence, findings)
  for (const { check, count, examples } of evidence.reading.audit.findings)
    findings.add(`audit: ${check} (${count} rows)`, examples[0])
  for (const report of evidence.deadlocks)
    findings.add('transactions deadlocked: locks are not taken in one order', report)
  return findings.list
}

/** A ledger entry with the earliest and latest time at which it can have been made. */
type Step = Entry & { from: number; to: number }
type Replayed = { game: Game; steps: Map<string, Step[]>; unkeyedGrants: Map<string, Entry> }

/** Applies the ledger's entries to the model, in their order, and checks that each was requested. */
function replay({ calls, reading }: Evidence, findings: Findings): Replayed {
  const game = new Game()
  const asked = Map.groupBy(calls, (call) => effectOf(call))
  const plays = new Map(reading.plays.map((play) => [play.playId, play]))
  const steps = new Map<string, Step[]>()
  const unkeyedGrants = new Map<string, Entry>()
  for (const [playerId, entries] of Map.groupBy(reading.entries, (entry) => entry.playerId)) {
    const own = entries.toSorted((a, b) => a.entry - b.entry)
    steps.set(
      playerId,
      own.map((entry) => {
        const causes = asked.get(effectOfEntry(entry)) ?? []
        findings.check(causes.length > 0, 'the ledger has an entry that was not requested', entry)
        if (entry.kind === 'grant' && entry.amount >= 1_000) unkeyedGrants.set(effectOfEntry(entry), entry)
        applyEntry(game, entry, plays, findings)
        const spinCount = game.account(playerId).spinCount
        const isPlayWithPrize = entry.kind === 'play' && spinsOf(plays.get(entry.key)) > 0
        if (!isPlayWithPrize)
          findings.check(spinCount === entry.balanceAfter, 'a balance differs from the model', {
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
      'a player differs from the model',
      { playerId, spinCount, playCount, account },
    )
  }
  for (const own of steps.values()) judgeOrder(own, findings)
  return { game, steps, unkeyedGrants }
}

function applyEntry(
  game: Game,
  entry: Entry,
  plays: ReadonlyMap<string, ReadPlay>,
  findings: Findings,
): void {
  const { playerId, kind, key, amount } = entry
  if (kind === 'grant') {
    const answer = game.grant({ playerId, key, amount })
    findings.check('spinCount' in answer && !answer.isReplay, 'a key took effect twice', entry)
  } else if (kind === 'initial')
    findings.check(game.welcome(playerId, amount), 'a player got initial spins twice', entry)
  else if (kind === 'play') {
    const answer = game.play(playerId, spinsOf(plays.get(key)))
    findings.check('playNumber' in answer, 'a play was made without a spin', entry)
    const playNumber = 'playNumber' in answer ? answer.playNumber : 0
    findings.check(plays.get(key)?.playNumber === playNumber, 'plays are not numbered in their order', {
      entry,
      playNumber,
    })
  } else if (kind === 'prize')
    findings.check(spinsOf(plays.get(key)) === amount, 'spins were given that no play had won', entry)
  else findings.add('the ledger has an entry of a kind that was not requested', entry)
}

function spinsOf(play: ReadPlay | undefined): number {
  return play?.won === true ? (play.prize.spins ?? 0) : 0
}

/** The name of the effect that a call can have; `effectOfEntry` gives the same name to its ledger entry. */
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

/** The entry was made after the first request for it was sent, and before the first acknowledgement was received. */
function windowOf(causes: readonly Call[]): { from: number; to: number } {
  let from = Infinity
  let to = Infinity
  for (const call of causes) {
    from = Math.min(from, call.sentAt)
    if (call.outcome === 'ok') to = Math.min(to, call.answeredAt)
  }
  return { from, to }
}

/** An entry acknowledged before the request of another was sent must come before it in the ledger. */
function judgeOrder(steps: readonly Step[], findings: Findings): void {
  let firstEnd: Step | undefined
  for (const step of steps.toReversed()) {
    findings.check(
      firstEnd === undefined || firstEnd.to >= step.from,
      'the ledger has two entries in the wrong order',
      { first: step, second: firstEnd },
    )
    if (firstEnd === undefined || step.to < firstEnd.to) firstEnd = step
  }
}

/** The balances that a player can have had between two points in time. */
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

function judgeAnswers(
  evidence: Evidence,
  { game, steps, unkeyedGrants }: Replayed,
  findings: Findings,
): void {
  const { calls, reading, allowedCodes, wheelChanges } = evidence
  const plays = new Map(reading.plays.map((play) => [play.playId, play]))
  const known = new Set(reading.players.map(({ playerId }) => playerId))
  for (const call of calls) {
    const { kind, playerId, key, amount, outcome, code, body } = call
    const own = steps.get(playerId) ?? []
    const balances = () => possibleBalances(own, call.sentAt, call.answeredAt)
    if (outcome === 'unknown') {
      const isNoAnswer = call.status === 0 || [502, 503, 504].includes(call.status)
      findings.check(isNoAnswer, `an answer that must never occur: ${call.status} ${code ?? ''}`, call)
      continue
    }
    if (outcome === 'refused')
      findings.check(
        gameCodes.includes(code ?? '') || allowedCodes.includes(code ?? ''),
        `an unexpected refusal: ${call.status} ${code ?? ''}`,
        call,
      )
    if (outcome === 'ok' && kind !== 'read')
      findings.check(known.has(playerId), 'a player of an acknowledged request is lost', call)
    if (kind === 'read' && outcome === 'ok')
      findings.check(
        balances().has(Number(body.spinCount)),
        'a read shows a balance that the player never had',
        {
          call,
          possible: [...balances()],
        },
      )
    if (kind === 'grant' && key !== undefined) {
      const isDone = game.isDone(playerId, key)
      if (outcome === 'ok') {
        findings.check(isDone, 'an acknowledged grant is lost', call)
        const answer = isDone ? game.grant({ playerId, key, amount }) : undefined
        const spinCount = answer !== undefined && 'spinCount' in answer ? answer.spinCount : undefined
        findings.check(!isDone || spinCount === body.spinCount, "a grant's answer differs from the model", {
          call,
          answer,
        })
      } else if (code === 'idempotency_key_reused') {
        const answer = isDone ? game.grant({ playerId, key, amount }) : undefined
        findings.check(
          answer !== undefined && 'code' in answer,
          'a key was refused as reused though it was new',
          call,
        )
      }
    }
    if (kind === 'grant' && key === undefined) {
      const entry = unkeyedGrants.get(effectOf(call))
      if (outcome === 'ok') {
        findings.check(entry !== undefined, 'an acknowledged grant without a key is lost', call)
        findings.check(
          entry === undefined || entry.balanceAfter === body.spinCount,
          "a grant's answer differs from the model",
          { call, entry },
        )
      } else findings.check(entry === undefined, 'a refused grant is in the ledger', { call, entry })
    }
    if (kind === 'link' && outcome === 'ok')
      findings.check(game.account(playerId).isWelcomed, 'a new player never got its initial spins', call)
    if (kind === 'play') {
      const play = plays.get(key ?? '')
      if (outcome === 'ok') {
        const { play: answered, spinCount } = body as { play: ReadPlay; spinCount: number }
        findings.check(play !== undefined, 'an acknowledged play is lost', call)
        findings.check(
          play === undefined || isSamePlay(answered, play),
          'the answer to a play differs from the stored play',
          { answered, play },
        )
        findings.check(
          balances().has(spinCount),
          'the answer to a play has a balance that the player never had',
          {
            call,
            possible: [...balances()],
          },
        )
      } else if (code === 'no_spins')
        findings.check(balances().has(0), 'a play was refused though the player had spins', {
          call,
          possible: [...balances()],
        })
      else if (code === 'play_outdated' && !wheelChanges)
        findings.check(play === undefined, 'a refused play is stored', { call, play })
    }
  }
}

function isSamePlay(answered: ReadPlay, stored: ReadPlay): boolean {
  return Object.entries(answered).every(([name, value]) =>
    isDeepStrictEqual(value, stored[name as keyof ReadPlay]),
  )
}
