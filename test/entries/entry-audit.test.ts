import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { addEntryPage, makeEntryPage } from '../scenes/entry-scene.ts'
import { asSuperuser, makeServer, notOnCluster, type Server, suiteLifetime, until } from '../scenes/scene.ts'
import { makeTestMailbox, type TestMailbox } from '../scenes/test-mailbox.ts'

const ofPlayers = 'every entry of a visitor belongs to a player of the same merchant'
const ofSpins = 'every entry of a visitor has given its spins once, and such spins come from no other source'

describe('the audit', notOnCluster, () => {
  const lifetime = suiteLifetime()
  let server: Server
  let mailbox: TestMailbox
  before(async () => {
    mailbox = await makeTestMailbox(lifetime)
    server = await makeServer(lifetime, {
      env: { SMTP_URL: mailbox.url, MAIL_FROM: 'spins@acme.example' },
    })
    const main = await makeEntryPage(server)
    const summer = await addEntryPage(server, main, { campaign: 'summer', settings: { verify: 'code' } })
    const prove = async (email: string) => {
      const { session } = (await summer.enter({ email })).body
      const own = () => mailbox.mails.find(({ to }) => to.includes(email))
      await until(() => own() !== undefined)
      const code = /^Subject: ([0-9]{6}) /m.exec(own()?.text ?? '')?.[1]
      const proved = await summer.send('/proof', { session, code })
      assert.equal(proved.body.outcome, 'entered')
      return proved.body
    }
    const { pass } = await prove('ann@shop.example')
    // A browser that proved the address in one campaign needs no code in another one.
    const entered = await main.enter({ email: 'ann@shop.example', news: true }, { pass })
    const { playerId } = await main.open(entered)
    await prove('bob@shop.example')
    await main.enter({ email: 'cid@shop.example' })
    assert.equal((await main.api.call('DELETE', `/players/${playerId}/personal-data`)).status, 200)
  })

  const change = (sql: string) =>
    asSuperuser(server.target.database, async (client) => {
      await client.query('set session_replication_role = replica')
      const { rowCount } = await client.query(sql)
      assert.ok(rowCount !== null && rowCount > 0, sql)
    })
  const found = async () => {
    const { findings } = await auditLedger(server.ctx.db)
    return findings.filter(({ check }) => check === ofPlayers || check === ofSpins)
  }
  const countsFound = async () => (await found()).map(({ check, count }) => [check, count])

  test('finds nothing wrong with visitors of two campaigns, with and without a code, and an erased one', async () => {
    assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
  })

  test('finds entries without player or spins, and spins without an entry or with another key', async () => {
    await change(`create table kept as select * from visitor_entries`)
    await change(`update visitor_entries set player_no = player_no + 1000 where campaign_id = 0`)
    assert.deepEqual(await countsFound(), [
      [ofPlayers, 2],
      [ofSpins, 4],
    ])
    await change(`delete from visitor_entries`)
    await change(`insert into visitor_entries select * from kept`)
    await change(`update visitor_entries set merchant_id = merchant_id + 1000 where campaign_id <> 0`)
    assert.deepEqual(await countsFound(), [
      [ofPlayers, 2],
      [ofSpins, 2],
    ])
    await change(`delete from visitor_entries`)
    assert.deepEqual(await countsFound(), [[ofSpins, 4]])
    await change(`insert into visitor_entries select * from kept`)
    assert.deepEqual(await countsFound(), [])
    await change(`update ledger_entries set key = 'entry:winter' where key = 'entry:summer'`)
    assert.deepEqual(await countsFound(), [[ofSpins, 2]])
    await change(`update ledger_entries set key = 'entry:summer' where key = 'entry:winter'`)
    await change(`delete from ledger_entries where key = 'entry'`)
    assert.deepEqual(await countsFound(), [[ofSpins, 2]])
    // The ledger of these players may be in a file.
    await change(`
      insert into archived_players (shard, player_no, merchant_id, entry_no, play_no, balance)
      select shard, player_no, merchant_id, 1, 0, 2
      from visitor_entries
      where campaign_id = 0`)
    assert.deepEqual(await countsFound(), [])
  })
})
