import {
  expectSuccess,
  makeRandom,
  merchantRequest,
  emptyTally,
  playerName,
  type Tally,
  type Work,
} from './work.ts'

export type LinksSpec = { kind: 'links'; token: string; players: number; seed: number; isEcho: boolean }

/** Game links for existing players, as a merchant requests one at every visit. */
export function linksWork(spec: LinksSpec): Work {
  const random = makeRandom(spec.seed)
  const tally: Tally = { ...emptyTally }
  const asked: string[] = []
  const seen = new Set<string>()

  return {
    begin: () => undefined,
    next(slot) {
      const player = playerName(random(spec.players))
      asked[slot] = player
      return merchantRequest('/api/game/sso', spec.token, '', `{"playerId":"${player}"}`)
    },
    take(slot, answer) {
      expectSuccess(answer)
      const { link, token } = JSON.parse(answer.body) as { link: string; token: string }
      if (!link.endsWith(`/spinthewheel/?token=${token}`))
        throw new Error(`a link without its token: ${answer.body}`)
      tally.links++
      if (!spec.isEcho) expectToken(token, asked[slot] as string)
    },
    refused: () => undefined,
    tally: () => tally,
  }

  /** Checks that the token names the player and is new. Only some are decoded, as decoding costs more than making. */
  function expectToken(token: string, player: string): void {
    const signature = token.slice(token.lastIndexOf('.') + 1)
    if (seen.has(signature)) throw new Error('the same link was returned twice')
    if (seen.size < 50_000) seen.add(signature)
    const payload = token.slice(token.indexOf('.') + 1, token.lastIndexOf('.'))
    if (tally.links % 16 !== 0) return
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: unknown }
    if (claims.sub !== player) throw new Error(`a link for ${String(claims.sub)} instead of ${player}`)
  }
}
