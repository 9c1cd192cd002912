import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import { readWins } from '../../src/plays/plays.ts'
import { makeDatabase } from '../scenes/scene.ts'

test('wins are found among the last ten thousand plays, newest first', async (t) => {
  const { db } = await makeDatabase(t)
  await db.query(addPlays)
  const winsAt = async (playCount: number, max = 50) => {
    const player = { shard: 0, playerNo: 7, campaignId: 0, playCount }
    return (await readWins(db, player, max)).map(({ playNo }) => playNo)
  }
  assert.deepEqual(await winsAt(10_000), [9_000, 1])
  assert.deepEqual(await winsAt(10_000, 1), [9_000])
  assert.deepEqual(await winsAt(10_001), [9_000])
})

const addPlays = statement(
  `
insert into plays (
  shard, player_no, merchant_id, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version, drawn, segment, won,
  created_at
)
select 0, 7, 1, play_no, gen_random_uuid(), '', '', 1, 1, 0, 0, play_no in (1, 9000), now()
from generate_series(1, 10001) as play_no`,
)
