// A common design: Express and TypeORM; entities are loaded, changed and saved in a transaction.
import { randomInt, randomUUID } from 'node:crypto'
import express, { type NextFunction, type Request, type Response } from 'express'
import { DataSource, type EntityManager } from 'typeorm'
import { describePlay, env, type GrantBody, type LinkBody, type PlayBody } from '../interface.ts'
import { GameTokens, ServiceTokens } from '../tokens.ts'
import {
  LedgerEntryEntity,
  type Play,
  PlayEntity,
  type Player,
  PlayerEntity,
  PrizeEntity,
} from './entities.ts'

const merchantId = 1
const serviceTokens = new ServiceTokens(env.SERVICE_TOKEN, merchantId)
const gameTokens = new GameTokens(env.GAME_SECRET)
const dataSource = await new DataSource({
  type: 'postgres',
  url: env.DATABASE_URL,
  entities: [PlayerEntity, LedgerEntryEntity, PrizeEntity, PlayEntity],
}).initialize()
const prizes = await dataSource.manager.find(PrizeEntity, { order: { prizeId: 'asc' } })
const weightTotal = prizes.reduce((sum, { weight }) => sum + weight, 0)

class Refusal extends Error {
  readonly status: number

  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

const app = express()
app.use(express.json())

app.post('/api/player/increaseSpin', authenticate, async (request, response) => {
  const { playerId, spinNumber } = request.body as GrantBody
  if (!isPlayerId(playerId) || !isSpins(spinNumber, 1)) throw new Refusal(400, 'validation_failed')
  const key = request.get('Idempotency-Key') ?? randomUUID()
  const { isRepeat, entry } = await grant({ playerId, kind: 'grant', key, amount: spinNumber })
  if (entry.amount !== spinNumber) throw new Refusal(422, 'idempotency_key_reused')
  if (isRepeat) response.set('Idempotent-Replayed', 'true')
  response.json({ playerId, spinCount: entry.balanceAfter })
})

app.post('/api/game/sso', authenticate, async (request, response) => {
  const { playerId, initialSpin = 0 } = request.body as LinkBody
  if (!isPlayerId(playerId) || !isSpins(initialSpin, 0)) throw new Refusal(400, 'validation_failed')
  if (initialSpin > 0) await grant({ playerId, kind: 'initial', key: 'initial', amount: initialSpin })
  else await dataSource.transaction((manager) => lockPlayer(manager, playerId))
  const exp = Math.floor(Date.now() / 1000) + 86_400
  const token = gameTokens.sign({ sub: playerId, merchant: merchantId, jti: randomUUID(), exp })
  response.json({ link: `http://127.0.0.1:${env.PORT}/spinthewheel/?token=${token}`, token })
})

app.post('/api/v1/game/plays', async (request, response) => {
  const { session, playId } = request.body as PlayBody
  const claims = gameTokens.verify(session)
  if (claims === undefined) throw new Refusal(401, 'game_token_invalid')
  const play = await dataSource.transaction((manager) => playOnce(manager, claims.sub, playId))
  if (play === undefined) throw new Refusal(409, 'no_spins')
  const { playNo: playNumber, segment, balanceAfter: spinCount } = play
  response.json(
    describePlay({ playId, playNumber, playedAt: play.createdAt.toISOString(), segment, spinCount }, prizes),
  )
})

type Grant = { playerId: string; kind: string; key: string; amount: number }

async function grant({ playerId, kind, key, amount }: Grant) {
  return dataSource.transaction(async (manager) => {
    const player = await lockPlayer(manager, playerId)
    const before = await manager.findOneBy(LedgerEntryEntity, { merchantId, playerId, kind, key })
    if (before !== null) return { isRepeat: true, entry: before }
    player.balance += amount
    await manager.save(PlayerEntity, player)
    const entry = manager.create(LedgerEntryEntity, {
      merchantId,
      playerId,
      kind,
      key,
      amount,
      balanceAfter: player.balance,
    })
    return { isRepeat: false, entry: await manager.save(LedgerEntryEntity, entry) }
  })
}

async function playOnce(manager: EntityManager, playerId: string, playId: string): Promise<Play | undefined> {
  const player = await lockPlayer(manager, playerId)
  const before = await manager.findOneBy(PlayEntity, { playId })
  if (before !== null) return before
  if (player.balance < 1) return undefined
  const prizeId = draw()
  const prize = await manager.findOneOrFail(PrizeEntity, {
    where: { prizeId },
    lock: { mode: 'pessimistic_write' },
  })
  const won = prize.given < prize.stock
  if (won) {
    prize.given += 1
    await manager.save(PrizeEntity, prize)
  }
  player.balance -= 1
  player.playCount += 1
  await manager.save(PlayerEntity, player)
  const { balance: balanceAfter, playCount: playNo } = player
  await manager.save(LedgerEntryEntity, {
    merchantId,
    playerId,
    kind: 'play',
    key: playId,
    amount: -1,
    balanceAfter,
  })
  return manager.save(PlayEntity, {
    playId,
    merchantId,
    playerId,
    playNo,
    segment: won ? prizeId : -1,
    won,
    balanceAfter,
  })
}

async function lockPlayer(manager: EntityManager, playerId: string): Promise<Player> {
  const find = () =>
    manager.findOne(PlayerEntity, { where: { merchantId, playerId }, lock: { mode: 'pessimistic_write' } })
  const player = await find()
  if (player !== null) return player
  await manager
    .createQueryBuilder()
    .insert()
    .into(PlayerEntity)
    .values({ merchantId, playerId, balance: 0 })
    .orIgnore()
    .execute()
  return (await find()) as Player
}

function draw(): number {
  let ticket = randomInt(weightTotal)
  return prizes.findIndex(({ weight }) => (ticket -= weight) < 0)
}

function authenticate(request: Request, _response: Response, next: NextFunction): void {
  if (serviceTokens.merchantOf(request.get('Authorization')) === undefined)
    throw new Refusal(401, 'token_invalid')
  next()
}

function isPlayerId(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= 128
}

function isSpins(value: unknown, min: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= 1_000_000
}

app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
  response.status(error instanceof Refusal ? error.status : 500).json({ code: error.message })
})
const server = app.listen(Number(env.PORT), '127.0.0.1')
process.once('SIGTERM', () => server.close(() => void dataSource.destroy()))
