import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { packagesSkipReason } from '../scene/packages.ts'
import { alwaysSynced, startRedis, redisSkipReason } from '../scene/redis.ts'
import { processMicros, startServer } from '../scene/server-process.ts'
import { type Contestant, expectEqual } from './contestant.ts'
import { makeToken, peersFolder } from './peers.ts'

/** Redis with its defaults: a crash loses everything acknowledged since the last snapshot. */
export const fastifyRedis = redisPeer('fastify, redis', [], 'shared')
export const fastifyRedisSynced = redisPeer('fastify, redis synced', alwaysSynced, 'shared')
export const fastifyRedisEach = redisPeer('fastify, redis, one connection per client', [], 'each')

function redisPeer(name: string, settings: readonly string[], connections: 'shared' | 'each'): Contestant {
  return {
    name,
    skipReason: () => redisSkipReason() ?? packagesSkipReason(),
    async start({ players, prizes }) {
      const redis = await startRedis(settings)
      const token = makeToken()
      redis.run(fill, String(players))
      for (const [index, { label, weight, stock }] of prizes.entries())
        redis.run(addPrize, String(index), JSON.stringify({ label, weight }), String(stock))
      const server = await startServer([process.execPath, join(peersFolder, 'fastify-redis.ts')], {
        REDIS_URL: redis.url,
        CONNECTIONS: connections,
        SERVICE_TOKEN: token,
        GAME_SECRET: randomBytes(32).toString('hex'),
      })
      return {
        ...server,
        name,
        token,
        answers: 'plain',
        databaseMicros: () => processMicros(redis.pid),
        async setStock(left) {
          for (const index of prizes.keys())
            redis.run("redis.call('SET', 'stock:' .. ARGV[1], ARGV[2])", String(index), String(left))
        },
        async check({ grants, spins, plays, wins }) {
          const found = JSON.parse(redis.run(acknowledged, String(prizes.length))) as object
          expectEqual(name, found, { grants, spins, plays, wins, oversold: 0, off: 0 })
        },
        async stop() {
          await server.stop()
          await redis.stop()
        },
      }
    },
  }
}

const fill = `
for number = 0, tonumber(ARGV[1]) - 1 do
  redis.call('SET', string.format('balance:1:player-%07d', number), 0)
end`

const addPrize = `
redis.call('RPUSH', 'prizes', ARGV[2])
redis.call('SET', 'stock:' .. ARGV[1], ARGV[3])`

const acknowledged = `
local grants, spins, plays, wins, oversold, off = 0, 0, 0, 0, 0, 0
local cursor = '0'
repeat
  local page = redis.call('SCAN', cursor, 'MATCH', 'ledger:*', 'COUNT', 10000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    local sum = 0
    local entries = redis.call('HGETALL', key)
    for index = 1, #entries, 2 do
      local amount = tonumber(string.match(entries[index + 1], '^-?%d+'))
      sum = sum + amount
      if string.sub(entries[index], 1, 6) == 'grant:' then
        grants = grants + 1
        spins = spins + amount
      end
    end
    local player = string.sub(key, 8)
    plays = plays + redis.call('HLEN', 'plays:' .. player)
    if tonumber(redis.call('GET', 'balance:' .. player)) ~= sum then off = off + 1 end
  end
until cursor == '0'
for index = 0, tonumber(ARGV[1]) - 1 do
  wins = wins + tonumber(redis.call('GET', 'given:' .. index) or 0)
  if tonumber(redis.call('GET', 'stock:' .. index)) < 0 then oversold = oversold + 1 end
end
return string.format('{"grants":%d,"spins":%d,"plays":%d,"wins":%d,"oversold":%d,"off":%d}', grants, spins, plays, wins, oversold, off)`
