// The usual "fast" design: Fastify and Redis, with a Lua script per operation, so that each is atomic. It stores the
// same data as Wheelhouse: a balance, and every entry under its key.
import { randomInt, randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { Redis } from 'ioredis'
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
import { GameTokens, ServiceTokens } from './tokens.ts'

const merchantId = 1
const serviceTokens = new ServiceTokens(env.SERVICE_TOKEN, merchantId)
const gameTokens = new GameTokens(env.GAME_SECRET)

const grantScript = `
local before = redis.call('HGET', KEYS[2], ARGV[1])
if before then
  return { 1, before }
end
local balance = redis.call('INCRBY', KEYS[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. ':' .. balance .. ':' .. ARGV[3])
return { 0, balance }`

// The prize is drawn in the program, before the script runs, because a script must be deterministic.
const playScript = `
local before = redis.call('HGET', KEYS[3], ARGV[1])
if before then
  return before
end
if tonumber(redis.call('GET', KEYS[1]) or 0) < 1 then
  return false
end
local segment = ARGV[2]
if tonumber(redis.call('GET', KEYS[4]) or 0) > 0 then
  redis.call('DECR', KEYS[4])
  redis.call('INCR', KEYS[5])
else
  segment = -1
end
local balance = redis.call('DECR', KEYS[1])
redis.call('HSET', KEYS[2], 'play:' .. ARGV[1], '-1:' .. balance .. ':' .. ARGV[3])
local number = redis.call('HLEN', KEYS[3]) + 1
local play = segment .. ':' .. balance .. ':' .. number .. ':' .. ARGV[3]
redis.call('HSET', KEYS[3], ARGV[1], play)
return play`

class Store extends Redis {
  declare grant: (
    balance: string,
    ledger: string,
    field: string,
    amount: number,
    at: number,
  ) => Promise<[number, string | number]>
  declare play: (...keysAndValues: (string | number)[]) => Promise<string | null>
}

function connect(): Store {
  // Sends the commands of one turn of the event loop together; otherwise each command is a write of its own.
  const store = new Store(env.REDIS_URL, { enableAutoPipelining: true })
  store.defineCommand('grant', { numberOfKeys: 2, lua: grantScript })
  store.defineCommand('play', { numberOfKeys: 5, lua: playScript })
  return store
}

// One connection for all clients, which is usual, or one per client.
const shared = connect()
const ofClient = new Map<Socket, Store>()
const storeOf = process.env.CONNECTIONS === 'each' ? ownStore : () => shared

function ownStore({ socket }: FastifyRequest): Store {
  const known = ofClient.get(socket)
  if (known !== undefined) return known
  const store = connect()
  ofClient.set(socket, store)
  socket.once('close', () => {
    ofClient.delete(socket)
    store.disconnect()
  })
  return store
}

const prizes = (await shared.lrange('prizes', 0, -1)).map((text) => JSON.parse(text) as Prize)
const weightTotal = prizes.reduce((sum, { weight }) => sum + weight, 0)
const app = Fastify({ logger: false })

app.post<{ Body: GrantBody }>(
  '/api/player/increaseSpin',
  { schema: grantSchema, onRequest: authenticate },
  async (request, reply) => {
    const { playerId, spinNumber } = request.body
    const key = String(request.headers['idempotency-key'] ?? randomUUID())
    const done = await grant(request, playerId, `grant:${key}`, spinNumber)
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
    if (initialSpin > 0) await grant(request, playerId, 'initial', initialSpin)
    else await storeOf(request).setnx(`balance:${merchantId}:${playerId}`, 0)
    const exp = Math.floor(Date.now() / 1000) + 86_400
    const token = gameTokens.sign({ sub: playerId, merchant: merchantId, jti: randomUUID(), exp })
    return { link: `http://127.0.0.1:${env.PORT}/spinthewheel/?token=${token}`, token }
  },
)

app.post<{ Body: PlayBody }>('/api/v1/game/plays', { schema: playSchema }, async (request, reply) => {
  const claims = gameTokens.verify(request.body.session)
  if (claims === undefined) return reply.code(401).send({ code: 'game_token_invalid' })
  const { playId } = request.body
  const player = `${merchantId}:${claims.sub}`
  const drawn = draw()
  const keys = [
    `balance:${player}`,
    `ledger:${player}`,
    `plays:${player}`,
    `stock:${drawn}`,
    `given:${drawn}`,
  ]
  const play = await storeOf(request).play(...keys, playId, drawn, Date.now())
  if (play === null) return reply.code(409).send({ code: 'no_spins' })
  const [segment, spinCount, playNumber, at] = play.split(':').map(Number) as [number, number, number, number]
  return describePlay(
    { playId, playNumber, playedAt: new Date(at).toISOString(), segment, spinCount },
    prizes,
  )
})

async function grant(request: FastifyRequest, playerId: string, field: string, amount: number) {
  const player = `${merchantId}:${playerId}`
  const [isRepeat, result] = await storeOf(request).grant(
    `balance:${player}`,
    `ledger:${player}`,
    field,
    amount,
    Date.now(),
  )
  if (isRepeat === 0) return { isRepeat: false, amount, balance: Number(result) }
  const [first, balance] = String(result).split(':').map(Number)
  return { isRepeat: true, amount: first, balance }
}

function draw(): number {
  let ticket = randomInt(weightTotal)
  return prizes.findIndex(({ weight }) => (ticket -= weight) < 0)
}

async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (serviceTokens.merchantOf(request.headers.authorization) === undefined)
    await reply.code(401).send({ code: 'token_invalid' })
}

process.once('SIGTERM', () => void app.close().then(() => shared.quit()))
await app.listen({ port: Number(env.PORT), host: '127.0.0.1' })
