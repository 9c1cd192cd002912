import { randomUUIDv7 } from 'node:crypto'
import { SequentialClient } from '../driver/sequential-client.ts'
import type { Answer } from '../driver/connection.ts'
import {
  expectSuccess,
  makeRandom,
  merchantRequest,
  emptyTally,
  playerName,
  type Tally,
  type Work,
} from './work.ts'

export type PlaysSpec = {
  kind: 'plays'
  token: string
  /** The players' numbers start at `first`. No player may play more than twice a second for a whole minute. */
  first: number
  players: number
  seed: number
  answers: 'wheelhouse' | 'plain'
}

const spinsAtFirst = 1_000_000
const openersMax = 16
const repeatEvery = 100

/** The state of a player's game page. */
type Page = { session: string; commitment: string; versionHash: string; spins: number; plays: number }
type Asked = { page: number; playId: string; isRepeat: boolean; request: string }

/** Plays of players with sessions. Each slot has its own players and at most one play in flight. */
export function playsWork(spec: PlaysSpec): Work {
  const random = makeRandom(spec.seed)
  const pages: Page[] = []
  const asked: (Asked | undefined)[] = []
  const tally: Tally = { ...emptyTally }
  let slots = 1
  let ids = 0

  function fresh(slot: number): Asked {
    const own = Math.floor((spec.players - slot - 1) / slots) + 1
    const number = slot + slots * random(own)
    const page = pages[number] as Page
    // As the game's page makes them: ids that are more alike would need less space.
    const playId = randomUUIDv7()
    const playerSeed = (ids + 1e12).toString(16).padStart(64, '7')
    const body = `{"session":"${page.session}","playId":"${playId}","playerSeed":"${playerSeed}","commitment":"${page.commitment}","versionHash":"${page.versionHash}"}`
    return {
      page: number,
      playId,
      isRepeat: false,
      request: playerRequest('/api/v1/game/plays', number, body),
    }
  }

  return {
    async prepare(port) {
      const openers = await Promise.all(Array.from({ length: openersMax }, () => SequentialClient.open(port)))
      const work = openers.map(async (opener, index) => {
        for (let number = index; number < spec.players; number += openersMax)
          pages[number] = await open(opener, spec, number)
        opener.close()
      })
      await Promise.all(work)
    },
    begin(count) {
      slots = count
      asked.length = 0
    },
    next(slot) {
      ids++
      const before = asked[slot]
      const mayRepeat = before !== undefined && !before.isRepeat && ids % repeatEvery === 0
      const ask = mayRepeat ? { ...before, isRepeat: true } : fresh(slot)
      asked[slot] = ask
      return ask.request
    },
    take(slot, answer) {
      const ask = asked[slot] as Asked
      const page = pages[ask.page] as Page
      expectSuccess(answer)
      const played = JSON.parse(answer.body) as Played
      if (!ask.isRepeat) {
        page.spins--
        page.plays++
        tally.plays++
        if (played.play.won) tally.wins++
      }
      expectPlay(answer, played, ask.playId, page)
      if (played.next !== undefined) {
        if (!ask.isRepeat && played.play.proof.commitment !== page.commitment)
          throw new Error(`the proof is for another commitment: ${answer.body}`)
        page.commitment = played.next.commitment
      }
    },
    refused(slot) {
      asked[slot] = undefined
    },
    tally: () => tally,
  }
}

type Played = {
  play: { playId: string; playNumber: number; won: boolean; proof: { commitment: string } }
  spinCount: number
  next?: { commitment: string }
}

function expectPlay(answer: Answer, played: Played, playId: string, page: Page): void {
  const isRight =
    played.play.playId === playId && played.play.playNumber === page.plays && played.spinCount === page.spins
  if (!isRight)
    throw new Error(
      `answered ${answer.body} to play ${playId}, number ${page.plays}, which leaves ${page.spins}`,
    )
}

/** Opens the game like the page: a link from the merchant, then a session. A plain peer needs only the link's token. */
async function open(opener: SequentialClient, spec: PlaysSpec, number: number): Promise<Page> {
  const player = playerName(spec.first + number)
  const body = `{"playerId":"${player}","initialSpin":${spinsAtFirst}}`
  const { token } = await opener.send(merchantRequest('/api/game/sso', spec.token, '', body))
  const page = { commitment: '', versionHash: '', spins: spinsAtFirst, plays: 0 }
  if (spec.answers === 'plain') return { ...page, session: String(token) }
  const opened = (await opener.send(
    playerRequest('/api/v1/game/session', number, `{"token":"${String(token)}"}`),
  )) as {
    session: string
    next: { commitment: string }
    wheel: { hash: string }
  }
  return {
    ...page,
    session: opened.session,
    commitment: opened.next.commitment,
    versionHash: opened.wheel.hash,
  }
}

/** Like a request that a proxy forwards: each player has an address of its own. */
function playerRequest(path: string, player: number, body: string): string {
  const address = `10.${player >> 16}.${(player >> 8) & 255}.${player & 255}`
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-Forwarded-For: ${address}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
