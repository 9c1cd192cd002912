import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl, makeDatabase, makeMerchant, runCli } from './scene.ts'

test('the command line creates, changes, duplicates, schedules and lists campaigns, and says what is wrong', async (t) => {
  const { db, target } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const env = { DATABASE_URL: databaseUrl(target) }
  const run = (command: string) => runCli([...command.split(' '), '--json'], env)
  const json = async (command: string) => {
    const { code, stdout, stderr } = await run(command)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  const own = merchant.slug
  const created = await json(`campaign create ${own} summer --wheel main --opens 2031-06-01T09:00:00+02:00`)
  assert.deepEqual(
    [created.campaign, created.state, created.purse, created.opensAt],
    ['summer', 'scheduled', 'summer', '2031-06-01T07:00:00.000Z'],
  )
  const changed = await json(`campaign set ${own} summer --opens never --priority 5 --pause`)
  assert.deepEqual([changed.opensAt, changed.priority, changed.state], [null, 5, 'paused'])
  const free = await json(`campaign free ${own} main --every day --zone player --streak 2:3`)
  assert.deepEqual([free.freeSpins.zone, free.freeSpins.streaks], ['player', [{ length: 2, spins: 3 }]])
  const endsAt = new Date(Date.now() + 86_400_000).toISOString()
  const weekly = await json(`campaign free ${own} main --every week --weekday 5 --ends ${endsAt}`)
  assert.deepEqual(
    [weekly.freeSpins.weekday, weekly.freeSpins.endsAt, weekly.freeSpins.zone],
    [5, endsAt, 'player'],
  )
  const endless = await json(`campaign free ${own} main --every day --ends never`)
  assert.equal(endless.freeSpins.endsAt, null)
  const previewed = await json(`campaign free-preview ${own} main Pacific/Apia`)
  assert.deepEqual(
    previewed.slice(0, 3).map((one: any) => one.spins),
    [1, 4, 1],
  )
  const copy = await json(`campaign duplicate ${own} summer autumn`)
  assert.deepEqual([copy.wheel, copy.state], ['autumn', 'draft'])
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const scheduled = await json(`wheel schedule ${own} autumn ${day}T18:00`)
  assert.deepEqual([scheduled.at, scheduled.timeZone], [`${day}T18:00:00.000Z`, 'UTC'])
  await json(`campaign schedule ${own} summer autumn ${day}T19:00`)
  const listed = await json(`campaign list ${own}`)
  assert.deepEqual(
    listed.map((row: any) => [row.campaign, row.scheduled]),
    [
      ['autumn', null],
      ['main', null],
      ['summer', `${day}T19:00:00Z`],
    ],
  )
  assert.equal((await json(`campaign archive ${own} summer`)).state, 'archived')
  const wrong = await run(`campaign set ${own} summer --resume`)
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /^wheelhouse: [^\n]*archived[^\n]*\n$/)
})
