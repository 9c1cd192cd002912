import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { rotateSigningKeys } from '../../src/crypto/signing-keys.ts'
import { rewrapAnswers } from '../../src/entries/rewrap-answers.ts'
import { addEntryPage, type EntryReply, makeEntryPage } from '../scenes/entry-scene.ts'
import {
  asSuperuser,
  databaseUrl,
  makeServer,
  runCli,
  type Server,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'
import { makeTestMailbox, type TestMailbox } from '../scenes/test-mailbox.ts'
import { onLanding } from '../scenes/selection.ts'

describe('keys rotate', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let mailbox: TestMailbox
  before(async () => {
    mailbox = await makeTestMailbox(lifetime)
    server = await makeServer(lifetime, {
      env: { SMTP_URL: mailbox.url, MAIL_FROM: 'spins@acme.example' },
    })
  })

  const rows = async (sql: string, values: unknown[] = []): Promise<any[]> =>
    asSuperuser(server.target.database, async (client) => (await client.query(sql, values)).rows)
  const keysOfAnswers = async (merchantId: number): Promise<string[]> =>
    (await rows(`select distinct key_id as key from entry_answers where merchant_id = $1`, [merchantId])).map(
      ({ key }) => key,
    )
  const cli = async (...args: string[]) => {
    const run = await runCli(['keys', ...args, '--json'], { DATABASE_URL: databaseUrl(server.target) })
    assert.equal(run.code, 0, run.stderr)
    return JSON.parse(run.stdout)
  }

  test(
    'an address collides under every live key, while entries go on, and after its old key is revoked',
    onLanding,
    async () => {
      const page = await makeEntryPage(server)
      const { merchantId } = page.api.merchant
      const old = await page.enter({ email: 'before@shop.example' })
      await page.enter({ email: 'gone@shop.example' })
      const replies: EntryReply[] = []
      let keyId = ''
      for (const email of times(4, (index) => `during-${index}@shop.example`)) {
        const entering = times(6, () => page.enter({ email }))
        keyId = await rotateSigningKeys(server.ctx.db, 'addresses', new Date())
        replies.push(...(await Promise.all([...entering, ...times(6, () => page.enter({ email }))])))
      }
      const entered = replies.filter(({ body }) => body.outcome === 'entered')
      assert.equal(entered.length, 4, 'each address once')
      assert.ok(replies.every(({ body }) => body.outcome === 'entered' || body.code === 'entry_known'))
      // Under each of the keys there is one owner at most, and the same one.
      const owners = await rows(
        `select count(*)::int as hashes, count(distinct key_id)::int as keys
      from address_keys
      where merchant_id = $1
      group by player_id`,
        [merchantId],
      )
      assert.ok(owners.every(({ hashes, keys }) => hashes === keys))

      // Whoever comes back is stored under the new keys too, and is known after a revocation of all others.
      assert.equal((await page.enter({ email: 'Before@shop.example' })).body.code, 'entry_known')
      const back = await page.enter({ email: 'before@shop.example' }, { pass: old.body.pass })
      assert.equal((await page.open(back)).playerId, (await page.open(old)).playerId)
      const listed = (await cli('list')) as { keyId: string; purpose: string }[]
      for (const key of listed.filter((one) => one.purpose === 'addresses' && one.keyId !== keyId))
        await cli('revoke', key.keyId)
      assert.equal((await page.enter({ email: 'before@shop.example' })).body.code, 'entry_known')
      // The documented price of a revocation: an address that only the revoked key could find is a new one.
      assert.equal((await page.enter({ email: 'gone@shop.example' })).body.outcome, 'entered')
    },
  )

  test('the keys of all answers are encrypted again, codes on their way work, and no answer changes', async () => {
    const page = await makeEntryPage(server)
    const { merchantId } = page.api.merchant
    for (const index of times(3, (one) => one))
      await page.enter({ email: `Ann.${index}@shop.example`, name: `Ann ${index}` })
    const list = async () => (await page.api.call('GET', '/campaigns/main/entries')).body.entries
    const listed = await list()
    const sealed = await rows(`select sealed from entry_answers order by player_no`)
    const [oldKey] = await keysOfAnswers(merchantId)
    await page.setUp({ verify: 'code' })
    const { session } = (await page.enter({ email: 'bob@shop.example' })).body
    await until(() => mailbox.mails.some(({ to }) => to.includes('bob@shop.example')))
    const code = /^Subject: ([0-9]{6}) /m.exec(mailbox.mails.at(-1)?.text ?? '')?.[1]

    const { keyId, purpose, rewrapped } = await cli('rotate', '--answers')
    assert.equal(purpose, 'answers')
    assert.ok(rewrapped >= 3)
    assert.deepEqual(await keysOfAnswers(merchantId), [keyId])
    assert.notEqual(keyId, oldKey)
    assert.deepEqual(await list(), listed)
    assert.deepEqual(await rows(`select sealed from entry_answers order by player_no`), sealed)
    const entered = await page.send('/proof', { session, code })
    assert.equal(entered.body.outcome, 'entered', JSON.stringify(entered.body))
    assert.deepEqual(await keysOfAnswers(merchantId), [keyId])

    // An entry that was on its way during the rotation is reached when the key is revoked.
    const next = await rotateSigningKeys(server.ctx.db, 'answers', new Date())
    await cli('revoke', keyId)
    assert.deepEqual(await keysOfAnswers(merchantId), [next])
    assert.equal((await list()).at(-1).address, 'Ann.0@shop.example')
  })

  test('a rotation goes on past the answers that it encrypts at once, also beside an erased visitor', async () => {
    const page = await makeEntryPage(server)
    const { merchantId } = page.api.merchant
    const { body } = await page.enter({ email: 'cid@shop.example' })
    for (const campaign of ['summer', 'winter', 'spring'])
      await (
        await addEntryPage(server, page, { campaign })
      ).enter({ email: 'cid@shop.example' }, { pass: body.pass })
    const erased = await page.open(await page.enter({ email: 'dan@shop.example' }))
    await page.api.call('DELETE', `/players/${erased.playerId}/personal-data`)
    const keyId = await rotateSigningKeys(server.ctx.db, 'answers', new Date())
    assert.ok((await rewrapAnswers(server.ctx.db, { atOnce: 2 })) >= 4)
    assert.deepEqual(await keysOfAnswers(merchantId), [keyId])
    assert.equal(await rewrapAnswers(server.ctx.db), 0)
  })
})
