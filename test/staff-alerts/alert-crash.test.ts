import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import { setAlertChoice } from '../../src/staff-alerts/alert-choices.ts'
import { proveEmail } from '../../src/staff/staff.ts'
import { alwaysWins, makeManagementApi } from '../scenes/management-scene.ts'
import { databaseUrl, makeServer, notOnCluster, spawnServer, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeStaff } from '../scenes/staff-scene.ts'
import { makeTestMailbox } from '../scenes/test-mailbox.ts'

test(
  'a process that is killed while it sends an alert leaves it to the next day, and two others send the rest once',
  { ...onLanding, ...notOnCluster },
  async (t) => {
    const box = await makeTestMailbox(t)
    const server = await makeServer(t)
    const { db } = server.ctx
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ stock: 1 }))
    await api.play('pia')
    const people = []
    for (let count = 0; count < 10; count++) {
      const person = await makeStaff(db, [[api.merchant, 'viewer']])
      await proveEmail(db, person.staffId, new Date())
      const reader = { merchantId: api.merchant.merchantId, staffId: person.staffId }
      await setAlertChoice(db, reader, { campaignId: null, causes: ['stock_gone'], now: new Date() })
      people.push(person)
    }
    const env = {
      DATABASE_URL: databaseUrl(server.target),
      SMTP_URL: box.url,
      MAIL_FROM: 'Wheel <wheel@house.example>',
    }
    const offered: string[] = []
    const hang = new Promise<undefined>(() => undefined)
    let hangs = true
    box.answer = (to, at) => {
      if (at === 'end') offered.push(to)
      return hangs && at === 'end' ? hang : undefined
    }
    const killed = await spawnServer(t, env)
    await until(() => offered.length > 0)
    killed.child.kill('SIGKILL')
    await killed.stopped
    hangs = false
    // In place of the time after which a mail counts as unknown.
    await db.query(statement(`update mails set due_at = now() where state = 'sending'`))
    await Promise.all([spawnServer(t, env), spawnServer(t, env)])
    const states = async () => {
      const rows = await db.query(statement<{ state: string }>(`select state from mails`))
      return rows.map(({ state }) => state)
    }
    await until(async () => (await states()).every((state) => state === 'sent' || state === 'unknown'))
    assert.equal((await states()).length, people.length)
    assert.ok((await states()).includes('unknown'))
    const twice = offered.filter((to, index) => offered.indexOf(to) !== index)
    assert.deepEqual(twice, [])
    const over = await db.query(
      statement<{ staffId: number }>(`
      select staff_id as "staffId" from staff_alerts_told where is_over`),
    )
    assert.equal(over.length, (await states()).filter((state) => state === 'unknown').length)
  },
)
