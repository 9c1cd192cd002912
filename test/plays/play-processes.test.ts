import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { statement } from '../../src/db/database.ts'
import { readStocks } from '../../src/stock/prize-stocks.ts'
import { findWheel } from '../../src/wheels/wheels.ts'
import { countDeadlocks, publishOnly } from '../scenes/batch-scene.ts'
import {
  type Answer,
  databaseUrl,
  makeDatabase,
  makeMerchant,
  post,
  spawnServer,
  times,
} from '../scenes/scene.ts'

const stock = 100
const playerIds = times(16, (index) => `player-${index}`)
const playsEach = 12

test('players who change the process with every play win exactly the stock, and every spin is accounted for', async (t) => {
  const { target, db } = await makeDatabase(t)
  const { merchant, token } = await makeMerchant(db)
  const { merchantId } = merchant
  await publishOnly(db, merchantId, { stock })
  const env = { DATABASE_URL: databaseUrl(target) }
  const servers = await Promise.all([spawnServer(t, env), spawnServer(t, env)])
  const urlOf = (index: number) => servers[index % 2]?.url ?? ''

  const plays = await Promise.all(
    playerIds.map(async (playerId, first) => {
      const link = await answered(`${urlOf(first)}/api/game/sso`, token, { playerId, initialSpin: playsEach })
      const opened = await answered(`${urlOf(first)}/api/v1/game/session`, undefined, {
        token: link.body.token,
      })
      const { session, wheel, ...rest } = opened.body as any
      let { commitment } = rest.next
      const own: any[] = []
      // Two plays here, two there: each process meets players that it expects, and players that it does not.
      for (let index = 0; index < playsEach; index++) {
        const url = urlOf(first + (index >> 1))
        const [playId, playerSeed] = [randomUUID(), randomBytes(32).toString('hex')]
        const order = { session, playId, playerSeed, commitment, versionHash: wheel.hash }
        const [played, repeated] = await Promise.all([
          answered(`${url}/api/v1/game/plays`, undefined, order),
          index % 5 === 0 ? answered(`${urlOf(index)}/api/v1/game/plays`, undefined, order) : undefined,
          index % 3 === 0
            ? answered(`${url}/api/player/increaseSpin`, token, { playerId, spinNumber: 1 })
            : undefined,
        ])
        assert.equal(played.status, 200, JSON.stringify(played.body))
        if (repeated !== undefined) assert.deepEqual(repeated.body.play, played.body.play)
        own.push(played.body.play)
        ;({ commitment } = played.body.next as { commitment: string })
      }
      return own
    }),
  )
  assert.equal(plays.flat().filter((play) => play.won).length, stock)
  assert.equal((await readStocks(db, await findWheel(db, merchantId, 'main')))[0]?.given, stock)
  const [player] = await db.query(count, [merchantId])
  assert.deepEqual(player, {
    plays: playerIds.length * playsEach,
    balance: (playerIds.length * playsEach) / 3,
  })
  assert.deepEqual((await auditLedger(db)).findings, [])
  // Running servers would connect again.
  for (const { child } of servers) child.kill()
  await Promise.all(servers.map(({ stopped }) => stopped))
  assert.equal(await countDeadlocks(target, [db]), 0)
})

const count = statement<{ plays: number; balance: number }>(`
select sum(play_count)::int as plays, sum(balance)::int as balance
from players
where merchant_id = $1`)

/** Like the page: repeats a request unchanged if it may succeed later. */
async function answered(...request: Parameters<typeof post>): Promise<Answer> {
  const answer = await post(...request)
  return answer.body.retryable === true ? answered(...request) : answer
}
