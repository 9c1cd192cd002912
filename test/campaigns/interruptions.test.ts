// Times in which players could not play. They break no streak.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { archiveCampaign, changeCampaign, createCampaign } from '../../src/campaigns/change-campaigns.ts'
import { type Database, statement } from '../../src/db/database.ts'
import { freeSpinDefaults } from '../../src/free-spin-rule/free-spin-rule.ts'
import { collectFreeSpins } from '../../src/free-spins/collect-free-spins.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import type { Merchant } from '../../src/merchants/merchants.ts'
import { suspendMerchant } from '../../src/merchants/suspend-merchant.ts'
import { readFreeSpinStates } from '../../src/players/free-spin-rows.ts'
import { findPlayer } from '../../src/players/players.ts'
import { shardOf } from '../../src/players/shard.ts'
import { showLife } from '../../src/wheels/interruptions.ts'
import { PublishedWheels } from '../../src/wheels/published-wheels.ts'
import { setPause } from '../../src/wheels/wheels.ts'
import { publishOnly } from '../scenes/batch-scene.ts'
import { makeDatabase, makeMerchant, openTestDatabase, suiteLifetime } from '../scenes/scene.ts'

const actor = { kind: 'command' as const, id: 'test', name: null }
const addresses = { publicUrl: 'http://127.0.0.1', gameUrl: 'http://127.0.0.1' }
const causeAt = (now: Date) => ({ actor, requestId: null, now })
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

describe('an interruption', () => {
  const lifetime = suiteLifetime()
  let db: Database
  let other: Database
  let merchant: Merchant
  let wheels: PublishedWheels

  before(async () => {
    const made = await makeDatabase(lifetime)
    db = made.db
    other = openTestDatabase(lifetime, made.target)
    merchant = (await makeMerchant(db)).merchant
    wheels = new PublishedWheels(db)
    await publishOnly(db, merchant.merchantId, {})
    const dates = { opensAt: null, closesAt: null, spinLifetimeDays: null }
    const settings = { wheel: 'main', priority: 0, texts: {}, purse: undefined, ...dates }
    const rules = { autumn: 'day', winter: 'day', hourly: 'PT1H' }
    for (const [slug, every] of Object.entries(rules)) {
      const freeSpins = { ...freeSpinDefaults, streaks: [], every }
      const order = { merchantId: merchant.merchantId, slug, name: slug, ...settings, freeSpins }
      await createCampaign(db, order, causeAt(hoursAgo(100)))
    }
    const rest = { kind: 'grant', amount: 1, reason: null, mayCreatePlayer: true, callMax: 1 } as const
    const { merchantId } = merchant
    const grant = { merchantId, playerId: 'ivy', key: 'first', dailyMax: null, ...rest }
    await grantSpins(db, [grant, { ...grant, playerId: 'joe' }], new Date())
  })

  /** The player visits a campaign; returns the streak. */
  async function visit(slug: string, now: Date, { playerId = 'ivy', isTest = false } = {}): Promise<number> {
    const { merchantId } = merchant
    const current = await wheels.current(merchantId, slug)
    const wheel = { ...current, clockAheadMs: isTest ? 0 : null }
    const player = { merchantId, playerId, shard: shardOf({ merchantId, playerId }) }
    const { campaignId } = current.campaign ?? assert.fail()
    await collectFreeSpins(db, [{ ...player, wheel, isPlay: false, clockAheadMs: wheel.clockAheadMs }], now)
    const { playerNo } = (await findPlayer(db, player, now)) ?? assert.fail()
    const [state] = await readFreeSpinStates(db, [{ ...player, playerNo, campaignId }])
    assert.deepEqual(state?.collectedAt, now)
    return state?.streak ?? 0
  }

  test('of a campaign, a wheel or a merchant breaks no streak there, and only there', async () => {
    const { merchantId, slug: merchantSlug } = merchant
    const on = (day: number, clock = '12:00') =>
      new Date(`2027-05-${String(day).padStart(2, '0')}T${clock}:00Z`)
    const streaksOn = async (day: number) => [await visit('autumn', on(day)), await visit('winter', on(day))]
    const key = { merchantId, slug: 'autumn' }
    const pause = (isPaused: boolean, now: Date) =>
      changeCampaign(db, { ...key, change: { isPaused }, revision: undefined }, causeAt(now))
    const pauseWheel = (isPaused: boolean, now: Date) =>
      setPause(db, { merchantId, slug: 'main', isPaused, now })
    const archive = (isArchived: boolean, now: Date) =>
      archiveCampaign(db, { ...key, isArchived }, causeAt(now))
    const suspend = (isSuspended: boolean, now: Date) =>
      suspendMerchant(db, { slug: merchantSlug, isSuspended }, causeAt(now))
    const during = async (
      interrupt: (isOn: boolean, now: Date) => Promise<unknown>,
      day: number,
      to: string,
    ) => {
      await interrupt(true, on(day, '10:00'))
      await interrupt(false, on(day, to))
    }
    assert.deepEqual(await streaksOn(1), [1, 1])
    await during(pause, 2, '11:00')
    assert.deepEqual(await streaksOn(3), [2, 1])
    await during(archive, 4, '11:00')
    assert.deepEqual(await streaksOn(5), [3, 1])
    await during(suspend, 6, '11:00')
    assert.deepEqual(await streaksOn(7), [4, 2])
    await during(pauseWheel, 8, '11:00')
    assert.deepEqual(await streaksOn(9), [5, 3])
    // Half an hour is too short, also if two things are paused in it.
    await during(pause, 10, '10:31')
    await during(pauseWheel, 10, '10:31')
    assert.deepEqual(await streaksOn(11), [1, 1])
  })

  test('of all servers is recorded once, and excuses players of live merchants', async () => {
    const outages = async () =>
      db.query(
        statement<{ minutes: number }>(`
          select round(extract(epoch from ends_at - starts_at) / 60)::int as minutes
          from interruptions
          where merchant_id is null`),
      )
    const lastSignAgo = (interval: string) =>
      db.query(statement(`update signs_of_life set alive_at = clock_timestamp() - interval '${interval}'`))
    await showLife(db, addresses)
    assert.deepEqual(await outages(), [])
    await lastSignAgo('4 minutes')
    await Promise.all([showLife(db, addresses), showLife(other, addresses)])
    assert.deepEqual(await outages(), [])
    assert.equal(await visit('hourly', hoursAgo(7)), 1)
    assert.equal(await visit('hourly', hoursAgo(6)), 2)
    assert.equal(await visit('hourly', hoursAgo(6), { playerId: 'joe', isTest: true }), 1)
    await lastSignAgo('6 hours')
    await Promise.all([showLife(db, addresses), showLife(other, addresses), showLife(db, addresses)])
    assert.deepEqual(await outages(), [{ minutes: 360 }])
    assert.equal(await visit('hourly', new Date()), 3)
    assert.equal(await visit('hourly', new Date(), { playerId: 'joe', isTest: true }), 1)
    // The clock of the database was an hour ahead, and is right again.
    await lastSignAgo('-1 hour')
    await showLife(db, addresses)
    assert.equal((await outages()).length, 1)
    assert.deepEqual((await auditLedger(db)).findings, [])
  })
})
