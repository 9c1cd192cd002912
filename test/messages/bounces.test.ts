import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { judgeBounce, readBounceReport } from '../../src/mails/bounce-report.ts'
import { alwaysWins, makeManagementApi, type ManagementApi } from '../scenes/management-scene.ts'
import { makeFolder, makeServer, repository, type Server, suiteLifetime, until } from '../scenes/scene.ts'
import { makeTestMailbox, type TestMailbox } from '../scenes/test-mailbox.ts'

const reportOf = (recipient: string, status: string, { action = 'failed', diagnostic = '' } = {}) =>
  [
    'From: MAILER-DAEMON@relay.example',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Action: it could not be delivered',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.example',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    ...(diagnostic === '' ? [] : ['Diagnostic-Code: smtp;', ` ${diagnostic}`]),
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    'Status: 2.0.0',
    '--b--',
  ].join('\r\n')

test('a report of undeliverable mail is read: recipient, status and the reply behind it', () => {
  const diagnostic = '550 5.1.1 no such user'
  assert.deepEqual(readBounceReport(reportOf('ann@x.example', '5.0.0', { diagnostic })), {
    recipient: 'ann@x.example',
    status: '5.0.0',
    diagnostic: `smtp; ${diagnostic}`,
  })
  assert.equal(readBounceReport(reportOf('ann@x.example', '4.4.1', { action: 'delayed' })), undefined)
  assert.equal(
    readBounceReport('Subject: Out of office\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n'),
    undefined,
  )
})

test('a reported failure has the verdict of the same reply, but is not tried again', () => {
  const table: [string, string | null, string][] = [
    ['5.1.1', null, 'address_dead'],
    ['5.0.0', 'smtp; 550 5.1.1 no such user', 'address_dead'],
    ['5.0.0', 'smtp; 550-5.1.1 no such user', 'address_dead'],
    ['5.0.0', 'smtp; 550 no such user', 'address_doubtful'],
    ['5.0.0', null, 'mail_failed'],
    ['5.2.2', null, 'mailbox_full'],
    ['4.2.2', 'smtp; 452 4.2.2 full', 'mailbox_full'],
    ['4.4.7', null, 'mail_failed'],
    ['5.7.1', 'smtp; 550 5.7.1 spam', 'sender_refused'],
  ]
  for (const [status, diagnostic, verdict] of table)
    assert.equal(
      judgeBounce({ recipient: 'a@x.example', status, diagnostic }),
      verdict,
      `${status} ${diagnostic}`,
    )
})

describe('mail that comes back', () => {
  const lifetime = suiteLifetime()
  const reportsToken = randomUUID()
  let server: Server
  let box: TestMailbox
  before(async () => {
    box = await makeTestMailbox(lifetime)
    server = await makeServer(lifetime, {
      env: {
        SMTP_URL: box.url,
        MAIL_FROM: 'wheel@house.example',
        MAIL_BOUNCES_TO: 'bounce@house.example',
        MAIL_REPORTS_TOKEN: reportsToken,
      },
    })
  })

  const makeShop = async () => {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({ prize: { kind: 'handover' } }))
    await api.call('PUT', '/campaigns/main/messages', {
      replyTo: null,
      kinds: { won: { isOn: true, texts: {} } },
    })
    return api
  }
  /** A player wins; the answer is the message, once it was settled. */
  const win = async (api: ManagementApi, playerId: string, email: string) => {
    await api.call('POST', '/links', { playerId, initialSpins: 1 })
    await api.call('PUT', `/players/${playerId}/contact`, { email })
    await api.play(playerId)
    await until(async () => (await messageTo(api, playerId))?.settledAt)
    return messageTo(api, playerId)
  }
  const messageTo = async (api: ManagementApi, playerId: string) =>
    (await api.call('GET', '/messages')).body.messages.find((one: any) => one.playerId === playerId)
  const report = (
    id: string,
    body: string,
    { type = 'message/rfc822', token = reportsToken }: { type?: string; token?: string } = {},
  ) =>
    fetch(`${server.url}/hooks/mail/${id}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
      body,
    })
  const envelopeId = (to: string) =>
    /^bounce\+(.+)@/.exec(box.mails.find((one) => one.to[0] === to)?.from ?? '')?.[1]

  test('a message that came back has failed, and its dead address gets nothing more', async () => {
    const api = await makeShop()
    const email = `${randomUUID()}@dead.example`
    assert.equal((await win(api, 'ann', email)).state, 'sent')
    const id = envelopeId(email) as string
    const text = reportOf(email.toUpperCase(), '5.1.1')
    for (const _repeat of [1, 2]) assert.equal((await report(id, text)).status, 204)
    const { state, reason, reply } = await messageTo(api, 'ann')
    assert.deepEqual([state, reason, reply], ['refused', 'address_dead', '5.1.1'])
    const told = async () => (await api.call('GET', '/events?types=message.sent,message.failed')).body.events
    await until(async () => (await told()).length === 2)
    assert.deepEqual(
      (await told()).map(({ type, data }: any) => [type, data.messageId]),
      [
        ['message.sent', id],
        ['message.failed', id],
      ],
    )
    assert.equal((await win(api, 'bea', email)).reason, 'address_dead')
  })

  test('a report ends mail to nobody but the recipient of that message', async () => {
    const api = await makeShop()
    const [own, other] = [`${randomUUID()}@own.example`, `${randomUUID()}@other.example`]
    const { id } = await win(api, 'ann', own)
    const body = JSON.stringify({ recipient: other, status: '5.1.1' })
    assert.equal((await report(id, body, { type: 'application/json' })).status, 204)
    assert.equal((await messageTo(api, 'ann')).state, 'refused')
    assert.equal((await win(api, 'bea', other)).state, 'sent')
    assert.equal((await win(api, 'cid', own)).state, 'sent')
  })

  test('a spam filter of one recipient stops nobody else, and a delay changes nothing', async () => {
    const api = await makeShop()
    const email = `${randomUUID()}@strict.example`
    const { id } = await win(api, 'ann', email)
    const delay = reportOf(email, '4.4.1', { action: 'delayed' })
    assert.equal((await report(id, delay)).status, 204)
    assert.equal((await messageTo(api, 'ann')).state, 'sent')
    await report(id, reportOf(email, '5.7.1'))
    assert.equal((await messageTo(api, 'ann')).reason, 'sender_refused')
    assert.equal((await win(api, 'bea', email)).state, 'sent')
  })

  test('the commands of docs/mail.md report a failure, in both forms', async (t) => {
    const api = await makeShop()
    const email = `${randomUUID()}@gone.example`
    const { id } = await win(api, 'ann', email)
    const page = readFileSync(join(repository, 'docs', 'mail.md'), 'utf8')
    const commands = /```sh\n([^]*?)```/.exec(page)?.[1]?.replace('ann@example.com', email) ?? ''
    assert.equal(commands.split('/hooks/mail/').length, 3)
    const folder = makeFolder(t)
    writeFileSync(join(folder, 'report.eml'), reportOf(email, '5.1.1'))
    await promisify(execFile)('bash', ['-euc', commands], {
      cwd: folder,
      env: { PATH: process.env.PATH, WHEELHOUSE: server.url, ID: id, MAIL_REPORTS_TOKEN: reportsToken },
    })
    assert.equal((await messageTo(api, 'ann')).reason, 'address_dead')
  })

  test('only reports with the secret, and about a mail of ours, are taken', async () => {
    const text = reportOf('ann@x.example', '5.1.1')
    assert.equal((await report(randomUUID(), text, { token: 'guessed-at-random' })).status, 401)
    assert.equal((await report(randomUUID(), text)).status, 404)
    assert.equal((await report('x', text)).status, 404)
    assert.equal((await report(randomUUID(), '{"status":"5.1.1"}', { type: 'application/json' })).status, 400)
    const closed = await makeServer(lifetime)
    assert.equal((await fetch(`${closed.url}/hooks/mail/${randomUUID()}`, { method: 'POST' })).status, 404)
  })
})
