// Compares grants, links, plays, stock and redemption with a small model, over two server processes on one database.
// Each command goes to one of them, or to both concurrently. SEED=… sets another run.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Database } from '../../src/db/database.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { publishWheel, saveDraft } from '../../src/wheels/wheels.ts'
import { alwaysWins, callApi, type Reply } from '../scenes/management-scene.ts'
import {
  databaseUrl,
  makeDatabase,
  makeMerchant,
  spawnServer,
  suiteLifetime,
  times,
} from '../scenes/scene.ts'
import { runsAll } from '../scenes/selection.ts'

const seed = Number(process.env.SEED ?? 20261115)
const players = ['ann', 'bob', 'cid']
const stockAtFirst = 4

type Prize = {
  playId: string
  player: string
  state: 'won' | 'claimed' | 'redeemed' | 'cancelled'
  key: string
}
/** The expected state of the game. */
type Model = {
  stock: number
  balance: Record<string, number>
  gotInitial: Set<string>
  blocked: Set<string>
  linked: Set<string>
  grants: { player: string; amount: number; key: string; spinCount: number }[]
  plays: { player: string; playId: string; play: string }[]
  prizes: Prize[]
}
/** The real game. */
type Game = {
  call: (server: number, method: string, path: string, body?: unknown, key?: string) => Promise<Reply>
  links: Map<string, string>
}

type Command = fc.AsyncCommand<Model, Game>
const command = (
  name: string,
  run: (model: Model, game: Game) => Promise<void>,
  check: (model: Model) => boolean = () => true,
): Command => ({
  check,
  run,
  toString: () => name,
})

const server = fc.integer({ min: 0, max: 1 })
const player = fc.constantFrom(...players)
const nth = fc.nat({ max: 50 })

function give(model: Model, who: string, amount: number): number {
  return (model.balance[who] = (model.balance[who] ?? 0) + amount)
}

const grants = fc.tuple(server, player, fc.integer({ min: 1, max: 5 })).map(([at, who, amount]) =>
  command(`grant(${at}, ${who}, ${amount})`, async (model, { call }) => {
    const key = randomUUID()
    const answer = await call(
      at,
      'POST',
      '/api/player/increaseSpin',
      { playerId: who, spinNumber: amount },
      key,
    )
    const spinCount = give(model, who, amount)
    assert.deepEqual([answer.status, answer.body], [200, { playerId: who, spinCount }])
    model.grants.push({ player: who, amount, key, spinCount })
  }),
)

const repeatedGrants = fc.tuple(nth, fc.boolean()).map(([index, isOther]) =>
  command(
    `repeatGrant(${index}, ${isOther})`,
    async (model, { call }) => {
      const grant = model.grants[index % model.grants.length] as Model['grants'][number]
      const body = { playerId: grant.player, spinNumber: grant.amount + (isOther ? 1 : 0) }
      const answers = await Promise.all(
        times(6, (copy) => call(copy % 2, 'POST', '/api/player/increaseSpin', body, grant.key)),
      )
      for (const answer of answers)
        assert.deepEqual(
          [answer.status, answer.body.spinCount ?? answer.body.code],
          isOther ? [422, 'idempotency_key_reused'] : [200, grant.spinCount],
        )
    },
    (model) => model.grants.length > 0,
  ),
)

const copiedGrants = player.map((who) =>
  command(`grantInCopies(${who})`, async (model, { call }) => {
    const key = randomUUID()
    const body = { playerId: who, spinNumber: 2 }
    const answers = await Promise.all(
      times(10, (copy) => call(copy % 2, 'POST', '/api/player/increaseSpin', body, key)),
    )
    const spinCount = give(model, who, 2)
    for (const answer of answers) assert.deepEqual([answer.status, answer.body.spinCount], [200, spinCount])
    model.grants.push({ player: who, amount: 2, key, spinCount })
  }),
)

const links = fc.tuple(server, player, fc.integer({ min: 0, max: 3 })).map(([at, who, initialSpin]) =>
  command(
    `link(${at}, ${who}, ${initialSpin})`,
    async (model, { call, links: known }) => {
      const answer = await call(at, 'POST', '/api/game/sso', { playerId: who, initialSpin })
      assert.equal(answer.status, 200, answer.text)
      known.set(who, answer.body.token)
      model.linked.add(who)
      if (initialSpin > 0 && !model.gotInitial.has(who)) {
        model.gotInitial.add(who)
        give(model, who, initialSpin)
      }
    },
    (model) => model.blocked.size === 0,
  ),
)

async function open(game: Game, at: number, who: string): Promise<any> {
  const answer = await game.call(at, 'POST', '/api/v1/game/session', { token: game.links.get(who) })
  return answer.status === 200 ? answer.body : answer.body.code
}

/** Sends a play to both servers concurrently: the result is one play, whichever server is first. */
const plays = fc.tuple(player, server).map(([who, at]) =>
  command(
    `play(${who}, ${at})`,
    async (model, game) => {
      const session = await open(game, at, who)
      if (model.blocked.has(who)) {
        assert.equal(session, 'player_blocked')
        return
      }
      assert.equal(session.spinCount, model.balance[who] ?? 0)
      const body = {
        session: session.session,
        playId: randomUUID(),
        playerSeed: randomBytes(32).toString('hex'),
        commitment: session.next.commitment,
        versionHash: session.wheel.hash,
      }
      const answers = await Promise.all(
        times(4, (copy) => game.call(copy % 2, 'POST', '/api/v1/game/plays', body)),
      )
      if ((model.balance[who] ?? 0) === 0) {
        for (const answer of answers) assert.deepEqual([answer.status, answer.body.code], [409, 'no_spins'])
        return
      }
      const left = give(model, who, -1)
      const isWon = model.stock > 0
      if (isWon) model.stock--
      for (const answer of answers) {
        assert.equal(answer.status, 200, answer.text)
        const { play, spinCount } = answer.body
        assert.deepEqual(
          [play.won, play.fallbackReason, spinCount],
          [isWon, isWon ? null : 'out_of_stock', left],
        )
        assert.deepEqual(play, answers[0]?.body.play)
      }
      model.plays.push({ player: who, playId: body.playId, play: JSON.stringify(answers[0]?.body.play) })
      if (isWon) model.prizes.push({ playId: body.playId, player: who, state: 'won', key: '' })
    },
    (model) => model.linked.has(who),
  ),
)

const repeatedPlays = fc.tuple(nth, server).map(([index, at]) =>
  command(
    `repeatPlay(${index}, ${at})`,
    async (model, game) => {
      const earlier = model.plays[index % model.plays.length] as Model['plays'][number]
      if (model.blocked.has(earlier.player)) return
      const session = await open(game, at, earlier.player)
      const answer = await game.call(at, 'POST', '/api/v1/game/plays', {
        session: session.session,
        playId: earlier.playId,
        playerSeed: 'ab'.repeat(32),
        commitment: session.next.commitment,
        versionHash: session.wheel.hash,
      })
      assert.equal(JSON.stringify(answer.body.play), earlier.play)
      assert.equal(answer.body.spinCount, model.balance[earlier.player])
    },
    (model) => model.plays.length > 0,
  ),
)

const nouns = { claim: 'claim', redeem: 'redemption', cancel: 'cancellation' } as const

/** Five concurrent redemptions: one succeeds if the prize can be redeemed. */
const settlements = fc.tuple(nth, fc.constantFrom('claim', 'redeem', 'cancel')).map(([index, action]) =>
  command(
    `${action}(${index})`,
    async (model, { call }) => {
      const prize = model.prizes[index % model.prizes.length] as Prize
      const path = `/api/v1/prizes/${prize.playId}/${nouns[action]}`
      const keys = times(5, () => randomUUID())
      const answers = await Promise.all(
        keys.map((key, copy) => call(copy % 2, 'PUT', path, { reason: 'model' }, key)),
      )
      const isFinal = prize.state === 'redeemed' || prize.state === 'cancelled'
      const done = answers.findIndex((answer) => answer.status === 200)
      const fineCount = answers.filter((answer) => answer.status === 200).length
      assert.equal(
        fineCount,
        isFinal ? 0 : action === 'claim' ? 5 : 1,
        `${prize.state} ${JSON.stringify(answers[0]?.body)}`,
      )
      if (!isFinal) {
        if (action === 'cancel') model.stock++
        prize.state = action === 'claim' ? 'claimed' : action === 'redeem' ? 'redeemed' : 'cancelled'
        if (action !== 'claim') prize.key = `${nouns[action]} ${keys[done]}`
      }
      const [noun, key] = prize.key.split(' ')
      if (key !== undefined) {
        const repeat = await call(
          1,
          'PUT',
          `/api/v1/prizes/${prize.playId}/${noun}`,
          { reason: 'model' },
          key,
        )
        assert.deepEqual([repeat.status, repeat.body.state], [200, prize.state])
      }
      const read = await call(0, 'GET', `/api/v1/prizes/${prize.playId}`)
      assert.equal(read.body.state, prize.state)
    },
    (model) => model.prizes.length > 0,
  ),
)

const corrections = fc.tuple(server, player, fc.integer({ min: -6, max: 3 })).map(([at, who, amount]) =>
  command(
    `correct(${at}, ${who}, ${amount})`,
    async (model, { call }) => {
      const answer = await call(
        at,
        'POST',
        `/api/v1/players/${who}/corrections`,
        { amount, reason: 'model' },
        randomUUID(),
      )
      const after = (model.balance[who] ?? 0) + amount
      if (amount === 0) assert.equal(answer.status, 400)
      else if (after < 0) assert.deepEqual([answer.status, answer.body.code], [422, 'balance_too_low'])
      else assert.deepEqual([answer.status, answer.body.spinCount], [200, give(model, who, amount)])
    },
    (model) => who in model.balance || model.linked.has(who),
  ),
)

const blocks = fc.tuple(server, player, fc.boolean()).map(([at, who, isBlocked]) =>
  command(
    `block(${at}, ${who}, ${isBlocked})`,
    async (model, { call }) => {
      const answer = await call(at, isBlocked ? 'PUT' : 'DELETE', `/api/v1/players/${who}/block`)
      assert.equal(answer.status, 200, answer.text)
      if (isBlocked) model.blocked.add(who)
      else model.blocked.delete(who)
    },
    (model) => model.linked.has(who) && (isBlocked ? model.blocked.size === 0 : model.blocked.has(who)),
  ),
)

describe(`the game behaves like the model (SEED=${seed})`, () => {
  const lifetime = suiteLifetime()
  let db: Database
  let urls: string[]
  before(async () => {
    const made = await makeDatabase(lifetime)
    db = made.db
    const env = { DATABASE_URL: databaseUrl(made.target), DEMO: 'off' }
    urls = (await Promise.all(times(2, () => spawnServer(lifetime, env)))).map(({ url }) => url)
  })

  test('random operations over two processes give the results of the model', async () => {
    const commands = fc.commands(
      [
        // A blocked player gets no spins, so the grant comes after it is unblocked.
        ...[grants, repeatedGrants, copiedGrants, corrections].map(withoutBlockedPlayers),
        links,
        plays,
        plays,
        plays,
        repeatedPlays,
        settlements,
        settlements,
        blocks,
      ],
      { maxCommands: 60, size: 'max' },
    )
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        await fc.asyncModelRun(makeGame, list)
      }),
      { numRuns: runsAll ? 20 : 5, seed, endOnFailure: true },
    )
    assert.deepEqual((await auditLedger(db)).findings, [])
  })

  async function makeGame(): Promise<{ model: Model; real: Game }> {
    const { merchant, token } = await makeMerchant(db, { scopes: ['spins', 'links', 'manage', 'prizes'] })
    const { merchantId } = merchant
    const now = new Date()
    const draft = alwaysWins({ stock: stockAtFirst })
    await saveDraft(db, { merchantId, slug: 'main', draft, revision: undefined, now })
    await publishWheel(db, { merchantId, slug: 'main', now })
    const call: Game['call'] = async (at, method, path, body, key) => {
      const isGame = path.startsWith('/api/v1/game/')
      const answer = await callApi({ url: urls[at] as string }, isGame ? undefined : token, method, path, {
        ...(body === undefined ? {} : { body }),
        headers: key === undefined ? {} : { 'Idempotency-Key': key },
      })
      // Like a merchant's server, repeats requests that may succeed later: all of them are idempotent.
      return answer.body?.retryable === true && (key !== undefined || isGame)
        ? call(at, method, path, body, key)
        : answer
    }
    const model: Model = {
      stock: stockAtFirst,
      balance: {},
      gotInitial: new Set(),
      blocked: new Set(),
      linked: new Set(),
      grants: [],
      plays: [],
      prizes: [],
    }
    return { model, real: { call, links: new Map() } }
  }
})

function withoutBlockedPlayers(commands: fc.Arbitrary<Command>): fc.Arbitrary<Command> {
  return commands.map((one) =>
    command(
      one.toString(),
      (model, game) => one.run(model, game),
      (model) => model.blocked.size === 0 && one.check(model),
    ),
  )
}
