import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { uploadCodes } from '../../src/stock/code-pools.ts'
import {
  type Answer,
  databaseUrl,
  makeDatabase,
  makeMerchant,
  post,
  spawnServer,
  times,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { countDeadlocks, publishOnly, readBalances } from '../scenes/batch-scene.ts'

const playerIds = times(6, (index) => `player-${index}`)
const roundCount = 8
const stock = 20

test(
  'four processes on the same players and one hot prize never deadlock, and everything adds up',
  onLanding,
  async (t) => {
    const { target, db } = await makeDatabase(t)
    const { merchant, token } = await makeMerchant(db)
    const { merchantId } = merchant
    const codes = times(100, (index) => `CODE-${index}`)
    await uploadCodes(db, { merchantId, pool: 'hot' }, codes, new Date())
    await publishOnly(db, merchantId, { prize: { kind: 'pool', pool: 'hot' }, stock, limitPerPlayer: 1_000 })
    const env = { DATABASE_URL: databaseUrl(target) }
    const servers = await Promise.all(times(4, () => spawnServer(t, env)))

    const plays = await Promise.all(
      servers.flatMap(({ url }, server) =>
        playerIds.map(async (playerId) => {
          const [, , played] = await Promise.all([
            inTurn((round) => grant(url, token, { playerId, key: `${server}-${round}` })),
            inTurn(() => link(url, token, playerId)),
            inTurn(() => play(url, token, playerId)),
          ])
          return played.filter((answer) => answer.status === 200)
        }),
      ),
    )
    for (const { child, stopped } of servers) {
      child.kill('SIGTERM')
      await stopped
    }

    const played = plays.flat().map(({ body }) => body.play as { won: boolean; prize: { code?: string } })
    const wins = played.filter(({ won }) => won)
    assert.ok(played.length > stock, `only ${played.length} plays`)
    assert.equal(wins.length, stock)
    assert.equal(new Set(wins.map(({ prize }) => prize.code)).size, stock)
    const granted = playerIds.length * (5 + servers.length * roundCount)
    const balances = Object.values(await readBalances(db))
    assert.equal(
      balances.reduce((sum, balance) => sum + balance, 0),
      granted - played.length,
    )
    assert.deepEqual((await auditLedger(db)).findings, [])
    // A deadlock would have been retried and show nowhere else; batch-races.test.ts proves that this counter works.
    assert.equal(await countDeadlocks(target, [db]), 0)
  },
)

async function inTurn<T>(work: (round: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; round < roundCount; round++) results.push(await work(round))
  return results
}

/** Like a caller: repeats a request unchanged if it may succeed later. */
async function untilAnswered(send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send()
  return answer.status === 503 ? untilAnswered(send) : answer
}

async function grant(url: string, token: string, order: { playerId: string; key: string }): Promise<void> {
  const body = { playerId: order.playerId, spinNumber: 1 }
  const answer = await untilAnswered(() =>
    post(`${url}/api/player/increaseSpin`, token, body, { 'Idempotency-Key': order.key }),
  )
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

async function link(url: string, token: string, playerId: string): Promise<Answer> {
  const answer = await untilAnswered(() => post(`${url}/api/game/sso`, token, { playerId, initialSpin: 5 }))
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer
}

/** Opens the game and plays once, which the same player may be doing elsewhere at the same time. */
async function play(url: string, token: string, playerId: string): Promise<Answer> {
  const { body } = await link(url, token, playerId)
  const opened = await untilAnswered(() =>
    post(`${url}/api/v1/game/session`, undefined, { token: body.token }),
  )
  const { session, next, wheel } = opened.body as {
    session: string
    next: { commitment: string }
    wheel: { hash: string }
  }
  const order = {
    session,
    playId: randomUUID(),
    playerSeed: randomBytes(32).toString('hex'),
    commitment: next.commitment,
    versionHash: wheel.hash,
  }
  const answer = await untilAnswered(() => post(`${url}/api/v1/game/plays`, undefined, order))
  const isFine = answer.status === 200 || ['play_outdated', 'no_spins'].includes(String(answer.body.code))
  assert.ok(isFine, JSON.stringify(answer.body))
  return answer
}
