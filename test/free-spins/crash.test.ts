import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { publishOnly } from '../scenes/batch-scene.ts'
import { callApi, type Reply } from '../scenes/management-scene.ts'
import { databaseUrl, makeDatabase, makeMerchant, spawnServer, times, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

/** Visitors of `main` collect by opening the game, those of `later` only by playing. */
const players = times(16, (index) => ({
  playerId: `player-${index}`,
  campaign: index % 2 === 0 ? 'main' : 'later',
}))

test(
  'kill -9 between a visit and a play: what was collected is there once, and a repeated play counts once',
  onLanding,
  async (t) => {
    const { target, db } = await makeDatabase(t)
    const { merchant, token } = await makeMerchant(db)
    await publishOnly(db, merchant.merchantId, {})
    const env = { DATABASE_URL: databaseUrl(target) }
    let server = await spawnServer(t, env)
    const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
      callApi(server, token, method, `/api/v1${path}`, body === undefined ? {} : { body })
    const ok = async (...request: Parameters<typeof call>): Promise<any> => {
      let reply = { status: 0, text: 'no answer' } as Reply
      // On a slow machine a request may wait for longer than a server lets it. Like a client, the test then repeats it.
      await until(async () => (reply = await call(...request)).body.code !== 'overloaded')
      assert.equal(reply.status, 200, reply.text)
      return reply.body
    }
    const restart = async () => {
      server.child.kill('SIGKILL')
      await server.stopped
      server = await spawnServer(t, env)
    }
    await ok('POST', '/campaigns', { campaign: 'later', name: 'Later', wheel: 'main' })
    await ok('PATCH', '/campaigns/main', { freeSpins: { every: 'week' } })
    await ok('PATCH', '/campaigns/later', { freeSpins: { every: 'week', on: 'play' } })

    const opened = await Promise.all(
      players.map(async ({ playerId, campaign }) => {
        const link = await ok('POST', '/links', { playerId, campaign })
        const session = await ok('POST', '/game/session', { token: link.token })
        const { spinCount, free } = session
        assert.deepEqual([spinCount, free.available], campaign === 'main' ? [1, 0] : [0, 1])
        return { session, link }
      }),
    )
    const orders = opened.map(({ session }) => ({
      session: session.session,
      playId: randomUUID(),
      playerSeed: randomBytes(32).toString('hex'),
      commitment: session.next.commitment,
      versionHash: session.wheel.hash,
    }))
    // The first half is played while the server dies, the other half afterwards.
    const answers: (Reply | undefined)[] = players.map(() => undefined)
    const sent = orders.slice(0, 8).map(async (order, index) => {
      // No answer: what happened is not known.
      answers[index] = await call('POST', '/game/plays', order).catch(() => undefined)
    })
    await until(() => answers.some((answer) => answer !== undefined))
    await restart()
    await Promise.all(sent)

    for (const [index, { playerId, campaign }] of players.entries()) {
      const again = await ok('POST', '/game/session', { token: opened[index]?.link.token })
      if (index >= 8) assert.equal(again.spinCount + again.free.available, 1, 'collected before the kill')
      const first = await ok('POST', '/game/plays', orders[index])
      const repeated = await ok('POST', '/game/plays', orders[index])
      assert.deepEqual([repeated.play, repeated.spinCount], [first.play, 0])
      const answer = answers[index]
      if (answer?.status === 200)
        assert.deepEqual(answer.body.play, first.play, 'acknowledged before the kill')
      const { entries } = await ok('GET', `/players/${playerId}/ledger?campaign=${campaign}`)
      assert.deepEqual(
        entries.map(({ kind, amount }: any) => [kind, amount]),
        [
          ['play', -1],
          ['free', 1],
        ],
        playerId,
      )
    }
    assert.deepEqual((await auditLedger(db)).findings, [])
  },
)
