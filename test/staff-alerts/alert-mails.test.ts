import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import type { AlertCause } from '../../src/staff-alerts/alert-causes.ts'
import { setAlertChoice } from '../../src/staff-alerts/alert-choices.ts'
import { alertLookMs, lookForAlerts } from '../../src/staff-alerts/plan-alerts.ts'
import { countActivity } from '../../src/reports/count-activity.ts'
import type { Role } from '../../src/staff/roles.ts'
import { proveEmail, removeRole } from '../../src/staff/staff.ts'
import { openTestMerchant } from '../../src/test-mode/test-merchants.ts'
import { alwaysWins, makeManagementApi } from '../scenes/management-scene.ts'
import { type Lifetime, makeServer, times, until } from '../scenes/scene.ts'
import { makeStaff } from '../scenes/staff-scene.ts'
import { makeTestMailbox, plainText } from '../scenes/test-mailbox.ts'

const day = 86_400_000
const start = Date.parse('2027-06-01T12:00:00Z')

/** A merchant whose only mug is gone, and servers that mail its staff. */
async function makeScene(t: Lifetime) {
  const box = await makeTestMailbox(t)
  let now = start
  const clock = () => new Date(now)
  const server = await makeServer(t, { now: clock })
  const { db } = server.ctx
  const api = await makeManagementApi(server)
  const { merchant } = api
  await api.publish(alwaysWins({ stock: 1 }, { timeZone: 'UTC' }))
  assert.ok((await api.play('pia')).won)
  const choose = (
    { staffId }: { staffId: number },
    causes: AlertCause[],
    { merchantId } = merchant,
    campaignId: number | null = null,
  ) => setAlertChoice(db, { merchantId, staffId }, { campaignId, causes, now: clock() })
  return {
    box,
    db,
    server,
    api,
    merchant,
    choose,
    clock,
    pass: (ms: number) => (now += ms),
    makePerson: async (role: Role = 'viewer', isProven = true) => {
      const person = await makeStaff(db, [[merchant, role]])
      if (isProven) await proveEmail(db, person.staffId, clock())
      return person
    },
    sender: () =>
      makeServer(t, {
        now: clock,
        database: { target: server.target, db },
        env: {
          SMTP_URL: box.url,
          MAIL_FROM: 'Wheel <wheel@house.example>',
          PUBLIC_URL: 'https://house.example',
        },
      }),
    /** In place of a minute. */
    look: () => lookForAlerts(db, new Date((now += alertLookMs))),
    mailsTo: ({ email }: { email: string }) => box.mails.filter(({ to }) => to.includes(email)),
    rows: () =>
      db.query(
        statement<{ state: string; reason: string | null; cause: string }>(
          `select state, reason, cause from mails order by planned_at, cause`,
        ),
      ),
  }
}
type Scene = Awaited<ReturnType<typeof makeScene>>

async function untilSettled({ rows }: Scene, count: number) {
  await until(async () => {
    const found = await rows()
    return found.length === count && found.every(({ state }) => !['planned', 'sending'].includes(state))
  })
  return rows()
}

describe('alerts by e-mail', () => {
  test('whoever has chosen one gets it once, at a proven address, beside a stop of messages to players', async (t) => {
    const scene = await makeScene(t)
    const { api, merchant, choose, makePerson, look, mailsTo, pass } = scene
    const [ann, ben, unproven] = [await makePerson(), await makePerson(), await makePerson('owner', false)]
    for (const one of [ann, unproven]) await choose(one, ['stock_gone', 'stock_low'])
    await choose(ben, ['stock_low'])
    await scene.sender()
    assert.equal((await api.call('PUT', '/messages/stop', {})).status, 200)
    await look()
    await until(() => mailsTo(ann).length === 1)
    const text = plainText(mailsTo(ann)[0]!)
    assert.match(text, new RegExp(`Subject: ${merchant.slug}: A prize is gone`))
    assert.match(text, /A mug \(.+\): 0 of 1 left/)
    assert.match(text, new RegExp(`https://house\\.example/console/m/${merchant.slug}/wheels/main`))
    assert.match(text, new RegExp(`/console/m/${merchant.slug}/settings\\?tab=3?D?alerts`))
    assert.match(text, /Auto-Submitted: auto-generated/)
    for (const ms of [0, day]) {
      pass(ms)
      assert.equal(await look(), 0)
    }
    assert.deepEqual(
      (await untilSettled(scene, 1)).map(({ state }) => state),
      ['sent'],
    )
    assert.deepEqual([...mailsTo(ben), ...mailsTo(unproven)], [])
    assert.deepEqual((await api.call('GET', '/messages')).body.messages, [], 'players got nothing')
  })

  test('processes that look at the same time plan one mail, and send it once', async (t) => {
    const scene = await makeScene(t)
    const { db, choose, makePerson, look, mailsTo } = scene
    const ann = await makePerson()
    await choose(ann, ['stock_gone'])
    const at = new Date(scene.pass(alertLookMs))
    const planned = await Promise.all(times(8, () => lookForAlerts(db, at)))
    assert.equal(
      planned.reduce((sum, count) => sum + count),
      1,
    )
    await Promise.all([scene.sender(), scene.sender()])
    await untilSettled(scene, 1)
    await look()
    assert.equal(mailsTo(ann).length, 1)
  })

  test('what was planned for a person who is removed, or has chosen otherwise since, is not sent', async (t) => {
    const scene = await makeScene(t)
    const { db, merchant, choose, makePerson, look } = scene
    const [gone, other] = [await makePerson('owner'), await makePerson()]
    for (const one of [gone, other]) await choose(one, ['stock_gone'])
    assert.equal(await look(), 2)
    await removeRole(db, { staffId: gone.staffId, merchantId: merchant.merchantId })
    await choose(other, [])
    await scene.sender()
    const reasons = (await untilSettled(scene, 2)).map(({ reason }) => reason)
    assert.deepEqual(new Set(reasons), new Set(['no_longer_so', 'no_role']))
    assert.equal(scene.box.mails.length, 0)
    assert.equal(await look(), 0, 'nothing is planned for them either')
  })

  test('what may have arrived is not sent again on that day, and told again on the next', async (t) => {
    const scene = await makeScene(t)
    const { box, choose, makePerson, look, mailsTo, pass } = scene
    const ann = await makePerson()
    await choose(ann, ['stock_gone'])
    box.answer = (_to, at) => (at === 'end' ? 'drop' : undefined)
    await scene.sender()
    await look()
    assert.deepEqual(
      (await untilSettled(scene, 1)).map(({ state }) => state),
      ['unknown'],
    )
    box.answer = () => undefined
    assert.equal(await look(), 0)
    assert.equal(mailsTo(ann).length, 1)
    pass(day)
    assert.equal(await look(), 1)
    assert.deepEqual(
      (await untilSettled(scene, 2)).map(({ state }) => state),
      ['unknown', 'sent'],
    )
    assert.equal(mailsTo(ann).length, 2)
  })

  test('a test merchant mails the staff of its live merchant, marked as a test, by its own clock', async (t) => {
    const scene = await makeScene(t)
    const { db, merchant, choose, makePerson, look, mailsTo } = scene
    const cause = { actor: { kind: 'command' as const, id: 'test', name: null }, requestId: null }
    const made = await openTestMerchant(
      db,
      { live: merchant, testName: null },
      { ...cause, now: new Date(start) },
    )
    const ahead = `update merchants set clock_ahead_ms = $2 where merchant_id = $1`
    await db.query(statement(ahead), [made.merchantId, 30 * day])
    const opens = `update campaigns set opens_at = $2 where merchant_id = $1`
    await db.query(statement(opens), [made.merchantId, new Date(start + 30 * day)])
    const ann = await makePerson()
    await choose(ann, ['campaign_opened'], made)
    await scene.sender()
    await look()
    await until(() => mailsTo(ann).length === 1)
    const text = plainText(mailsTo(ann)[0]!)
    assert.match(text, /Subject: \[Test\] /)
    assert.match(text, /open since July 1, 2027/)
    assert.match((await scene.rows())[0]!.cause, / 2027-07-01$/)
  })

  test('the summary has the figures of yesterday, of the chosen campaigns', async (t) => {
    const scene = await makeScene(t)
    const { api, choose, makePerson, look, mailsTo, pass, clock } = scene
    const [ann, ben] = [await makePerson(), await makePerson()]
    for (const one of [ann, ben]) await choose(one, ['daily_summary'])
    await choose(ben, [], scene.merchant, 0)
    await scene.sender()
    pass(20 * 3_600_000)
    const reports = '/reports/days?from=2027-06-01&to=2027-06-01'
    await until(async () => {
      while (await countActivity(scene.db, clock(), day));
      return (await api.call('GET', reports)).body.days[0].plays === 1
    })
    await look()
    await until(() => mailsTo(ann).length === 1)
    assert.match(plainText(mailsTo(ann)[0]!), /: 1 play, 1 win, 0 redemptions/)
    assert.match(plainText(mailsTo(ann)[0]!), /2027-06-01/)
    assert.deepEqual(mailsTo(ben), [])
  })
})
