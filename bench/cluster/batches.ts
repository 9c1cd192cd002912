import assert from 'node:assert/strict'
import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import type { SigningKey } from '../../src/crypto/signing-key.ts'
import { SigningKeys } from '../../src/crypto/signing-keys.ts'
import { GrantMemory } from '../../src/grants/grant-memory.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import { createLinks } from '../../src/links/create-links.ts'
import { lockPlayers, type PlayerKey } from '../../src/players/ledger.ts'
import { shardOf, shardValues } from '../../src/players/shard.ts'
import { PlayMemory } from '../../src/plays/play-memory.ts'
import { playWheels } from '../../src/plays/play-wheels.ts'
import { commitment } from '../../src/plays/seeds.ts'
import { PublishedWheels } from '../../src/wheels/published-wheels.ts'
import { clients, type Side } from './side.ts'

/** Carries out one batch of a client, all of one shard, as a server's lanes do on a cluster. */
export type Batches = { name: string; run: (client: number, size: number) => Promise<void> }

const playersPerShard = 160

/** Makes players with spins, and the batches of grants, links and plays for them. */
export async function batchesOf({ db, merchants }: Side): Promise<Batches[]> {
  const players = makePlayers(merchants.unlimited)
  const memory = new GrantMemory()
  const grant = async (batch: readonly PlayerKey[], amount = 1): Promise<void> => {
    const key = randomUUID()
    const grants = batch.map((player) => ({ ...player, ...grantOf, amount, key }))
    const verdicts = await grantSpins(db, grants, new Date(), memory)
    assert(verdicts.every(({ outcome }) => outcome === 'granted'))
  }
  const link = async (batch: readonly PlayerKey[]): Promise<void> => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const orders = batch.map((player) => ({
      ...player,
      linkId: randomUUID(),
      expiresAt,
      initial: undefined,
      campaign: 'main',
    }))
    const verdicts = await createLinks(db, orders, new Date(), memory.players)
    assert(verdicts.every(({ outcome }) => outcome === 'created'))
  }
  for (const own of players) await grant(own, spinsAtFirst)
  const stocked = makePlayers(merchants.stocked)
  for (const own of stocked) await grant(own, spinsAtFirst)
  return [
    batches('grants', players, grant),
    batches('links', players, link),
    batches('plays', players, await playsOf({ db, merchantId: merchants.unlimited })),
    batches('plays with a stock', stocked, await playsOf({ db, merchantId: merchants.stocked })),
  ]
}

const spinsAtFirst = 100_000
const grantOf = {
  kind: 'grant',
  reason: null,
  mayCreatePlayer: true,
  callMax: 1_000_000,
  dailyMax: null,
} as const

/** Each client has shards of its own, so that no two batches have a player in common. */
function batches(
  name: string,
  players: readonly (readonly PlayerKey[])[],
  work: (batch: readonly PlayerKey[]) => Promise<void>,
): Batches {
  const turns = Array.from({ length: clients }, () => 0)
  return {
    name,
    async run(client, size) {
      const turn = (turns[client] as number)++
      const own = players[(turn * clients + client) % players.length] as readonly PlayerKey[]
      const start = Math.floor((turn * clients) / players.length) * size
      await work(Array.from({ length: size }, (_, index) => own[(start + index) % own.length] as PlayerKey))
    },
  }
}

function makePlayers(merchantId: number): PlayerKey[][] {
  const byShard = new Map(shardValues.map((shard) => [shard, [] as PlayerKey[]]))
  for (let number = 0; [...byShard.values()].some((own) => own.length < playersPerShard); number++) {
    const playerId = `player-${number}`
    const shard = shardOf({ merchantId, playerId })
    const own = byShard.get(shard)
    if (own !== undefined && own.length < playersPerShard) own.push({ shard, merchantId, playerId })
  }
  return [...byShard.values()]
}

async function playsOf({ db, merchantId }: Pick<Side, 'db'> & { merchantId: number }) {
  const seedKeys = await new SigningKeys(db, 'seeds').live()
  const wheel = await new PublishedWheels(db).current(merchantId)
  const memory = new PlayMemory()
  const known = new Map<string, { playerNo: number; playCount: number }>()
  const link = { linkId: 'bench', issuedAt: new Date() }
  return async (batch: readonly PlayerKey[]): Promise<void> => {
    if (batch.some(({ playerId }) => !known.has(playerId)))
      for (const player of await db.transaction((tx) => lockPlayers(tx, batch))) {
        known.set(player.playerId, player)
        memory.rememberPlayer(player, player)
      }
    const orders = batch.map((player) => {
      const { playerNo, playCount } = known.get(player.playerId) as { playerNo: number; playCount: number }
      return {
        ...player,
        link,
        playId: randomUUIDv7(),
        playerSeed: randomBytes(32).toString('hex'),
        commitment: commitment(seedKeys[0] as SigningKey, {
          merchantId,
          playerNo,
          playNumber: playCount + 1,
        }),
        versionHash: wheel.sha256,
        wheel,
      }
    })
    const verdicts = await playWheels(db, orders, { seedKeys, now: new Date() }, memory)
    for (const [index, verdict] of verdicts.entries()) {
      assert.equal(verdict.outcome, 'played')
      const { playerId } = batch[index] as PlayerKey
      const { playerNo, playCount } = known.get(playerId) as { playerNo: number; playCount: number }
      known.set(playerId, { playerNo, playCount: playCount + 1 })
    }
  }
}
