import { hashing } from '../src/fairness/hashing.ts'
import { verifyPlay } from '../src/fairness/verify-play.ts'
import type { Evidence, Findings } from './evidence.ts'
import { Game } from './model.ts'

/** Recomputes every outcome from the published wheel and the revealed seeds. */
export function judgePlays({ reading }: Evidence, findings: Findings): void {
  for (const play of reading.plays) {
    const published = reading.versions.get(play.proof.versionHash)
    const steps = published === undefined ? [] : verifyPlay(play, published, hashing)
    const wrong = steps.find((step) => !step.holds)
    findings.check(published !== undefined && wrong === undefined, 'an outcome can not be reproduced', {
      play,
      wrong,
    })
  }
  const ids = new Set(reading.plays.map(({ playId }) => playId))
  findings.check(ids.size === reading.plays.length, 'a play is stored twice', undefined)
}

export function judgePrizes(evidence: Evidence, findings: Findings): void {
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
    findings.check(count === given, 'the count of a prize differs from the plays that won it', {
      prize,
      given,
      count,
    })
  }
  for (const play of reading.plays.filter(({ fallbackReason }) => fallbackReason === 'out_of_stock')) {
    const { drawn, versionHash } = play.proof
    const drawnId = prizeIdAt(reading.versions.get(versionHash), drawn, evidence)
    const stock = stockAtFirst[drawnId ?? '']
    findings.check(
      drawnId === undefined || stock === undefined || (won.get(drawnId)?.length ?? 0) >= stock,
      'a prize was reported as out of stock and was not',
      play,
    )
  }
  const codes = reading.plays.flatMap(({ prize }) => (prize.kind === 'code' ? (prize.code ?? []) : []))
  findings.check(new Set(codes).size === codes.length, 'a code was given twice', codes)
  findings.check(
    reading.pool.taken === codes.length,
    'the count of taken codes differs from the plays that won one',
    {
      pool: reading.pool,
      codes: codes.length,
    },
  )

  const byPlay = Map.groupBy(
    calls.filter(({ kind }) => kind === 'claim' || kind === 'redemption'),
    (call) => call.playId as string,
  )
  const game = new Game()
  const prizes = new Map(reading.prizes.map((prize) => [prize.playId, prize]))
  for (const [playId, own] of byPlay) {
    const prize = prizes.get(playId)
    const redeemed = own.filter(({ kind, outcome }) => kind === 'redemption' && outcome === 'ok')
    for (const { key } of redeemed)
      findings.check(
        game.redeem(playId, key ?? '') !== 'prize_settled',
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
    // A refusal is right only if another request settled the prize.
    for (const call of own.filter(({ outcome }) => outcome === 'refused')) {
      if (call.code !== 'prize_settled' || allowedCodes.includes('prize_settled')) continue
      const others = own.filter((other) => other.kind === 'redemption' && other.outcome !== 'refused')
      const isJustified = others.some((other) => other.key !== call.key || call.kind === 'claim')
      findings.check(isJustified, 'a prize was refused as settled though no other request settled it', {
        call,
        own,
      })
    }
  }
}

/** The published text contains no prize ids, so the id comes from a play that won this segment. */
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
