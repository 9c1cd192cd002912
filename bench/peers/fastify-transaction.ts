// A careful, plain implementation: Fastify, `pg`, hand-written SQL, prepared statements, one transaction per request.
import { randomInt, randomUUID } from 'node:crypto'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import pg from 'pg'
import {
  describePlay,
  env,
  type GrantBody,
  grantSchema,
  type LinkBody,
  linkSchema,
  type PlayBody,
  playSchema,
  type Prize,
} from './interface.ts'
import {
  addSpins,
  createPlayer,
  insertEntry,
  insertPlay,
  lockPlayer,
  type PlayRow,
  readEntry,
  readPlay,
  schema,
  spendSpin,
  takePrize,
} from './plain-sql.ts'
import { GameTokens, ServiceTokens } from './tokens.ts'

const merchantId = 1
const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: Number(process.env.POOL ?? 10) })
const serviceTokens = new ServiceTokens(env.SERVICE_TOKEN, merchantId)
const gameTokens = new GameTokens(env.GAME_SECRET)
await pool.query(schema)
const prizes = (await pool.query<Prize>('select label, weight from prizes order by prize_id')).rows
const weightTotal = prizes.reduce((sum, { weight }) => sum + weight, 0)

const app = Fastify({ logger: false })

app.post<{ Body: GrantBody }>(
  '/api/player/increaseSpin',
  { schema: grantSchema, onRequest: authenticate },
  async (request, reply) => {
    const { playerId, spinNumber } = request.body
    const key = String(request.headers['idempotency-key'] ?? randomUUID())
    const done = await grant({ playerId, kind: 'grant', key, amount: spinNumber })
    if (done.amount !== spinNumber) return reply.code(422).send({ code: 'idempotency_key_reused' })
    if (done.isRepeat) reply.header('Idempotent-Replayed', 'true')
    return { playerId, spinCount: done.balance }
  },
)

app.post<{ Body: LinkBody }>(
  '/api/game/sso',
  { schema: linkSchema, onRequest: authenticate },
  async (request) => {
    const { playerId, initialSpin = 0 } = request.body
    if (initialSpin > 0) await grant({ playerId, kind: 'initial', key: 'initial', amount: initialSpin })
    else await pool.query(createPlayer, [merchantId, playerId])
    const exp = Math.floor(Date.now() / 1000) + 86_400
    const token = gameTokens.sign({ sub: playerId, merchant: merchantId, jti: randomUUID(), exp })
    return { link: `http://127.0.0.1:${env.PORT}/spinthewheel/?token=${token}`, token }
  },
)

app.post<{ Body: PlayBody }>('/api/v1/game/plays', { schema: playSchema }, async (request, reply) => {
  const claims = gameTokens.verify(request.body.session)
  if (claims === undefined) return reply.code(401).send({ code: 'game_token_invalid' })
  const play = await transaction((client) => playOnce(client, claims.sub, request.body.playId))
  if (play === undefined) return reply.code(409).send({ code: 'no_spins' })
  const described = {
    playId: play.play_id,
    playNumber: play.play_no,
    playedAt: play.created_at.toISOString(),
    segment: play.segment,
    spinCount: play.balance_after,
  }
  return describePlay(described, prizes)
})

async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (serviceTokens.merchantOf(request.headers.authorization) === undefined)
    await reply.code(401).send({ code: 'token_invalid' })
}

async function transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

type Entry = { playerId: string; kind: string; key: string; amount: number }
class Repeat extends Error {}

async function grant(entry: Entry): Promise<{ isRepeat: boolean; amount: number; balance: number }> {
  const { playerId, kind, key, amount } = entry
  try {
    return await transaction(async (client) => {
      const player = await client.query<{ balance: number }>(addSpins, [merchantId, playerId, amount])
      const { balance } = player.rows[0] as { balance: number }
      const added = await client.query(insertEntry, [merchantId, playerId, kind, key, amount, balance])
      if (added.rowCount === 0) throw new Repeat()
      return { isRepeat: false, amount, balance }
    })
  } catch (error) {
    if (!(error instanceof Repeat)) throw error
    const found = await pool.query<{ amount: number; balance_after: number }>(readEntry, [
      merchantId,
      playerId,
      kind,
      key,
    ])
    const first = found.rows[0] as { amount: number; balance_after: number }
    return { isRepeat: true, amount: first.amount, balance: first.balance_after }
  }
}

async function playOnce(
  client: pg.PoolClient,
  playerId: string,
  playId: string,
): Promise<PlayRow | undefined> {
  const locked = await client.query<{ balance: number; play_count: number }>(lockPlayer, [
    merchantId,
    playerId,
  ])
  const before = await client.query<PlayRow>(readPlay, [playId])
  if (before.rows[0] !== undefined) return before.rows[0]
  const player = locked.rows[0]
  if (player === undefined || player.balance < 1) return undefined
  const balance = player.balance - 1
  await client.query(spendSpin, [merchantId, playerId])
  await client.query(insertEntry, [merchantId, playerId, 'play', playId, -1, balance])
  // The prize comes last, because other transactions wait for its lock.
  const drawn = draw()
  const won = (await client.query(takePrize, [drawn])).rowCount === 1
  const play = [playId, merchantId, playerId, player.play_count + 1, won ? drawn : -1, won, balance]
  return (await client.query<PlayRow>(insertPlay, play)).rows[0]
}

function draw(): number {
  let ticket = randomInt(weightTotal)
  return prizes.findIndex(({ weight }) => (ticket -= weight) < 0)
}

process.once('SIGTERM', () => void app.close().then(() => pool.end()))
await app.listen({ port: Number(env.PORT), host: '127.0.0.1' })
