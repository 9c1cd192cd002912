// What the mailer makes of a server's replies, by where in the conversation they come.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import pino from 'pino'
import { parseConfig } from '../../src/config.ts'
import { Mailer } from '../../src/mail.ts'
import { makeCertificate } from '../scenes/certificates.ts'
import { defer, type Lifetime } from '../scenes/scene.ts'
import { makeTestMailbox } from '../scenes/test-mailbox.ts'

function makeMailer(t: Lifetime, env: Record<string, string>): Mailer {
  const { mail } = parseConfig({ MAIL_FROM: 'wheel@house.example', ...env })
  assert.ok(mail !== undefined)
  const mailer = new Mailer(mail, pino({ enabled: false }))
  defer(t, () => mailer.close())
  return mailer
}

const mail = { to: 'ann@shop.example', subject: 'Hello', text: 'Hello' }

for (const isSigned of [false, true])
  test(`a reply to the recipient is not one to the mail, which is ${isSigned ? '' : 'not '}signed`, async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'wheelhouse-mailer-'))
    defer(t, () => rm(dir, { recursive: true }))
    const keyFile = join(dir, 'key.pem')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const box = await makeTestMailbox(t)
    const dkim = { DKIM_DOMAIN: 'house.example', DKIM_SELECTOR: 'w', DKIM_KEY_FILE: keyFile }
    const mailer = makeMailer(t, { SMTP_URL: box.url, ...(isSigned ? dkim : {}) })
    box.answer = (_to, at) => (at === 'recipient' ? '550 5.1.1 no such user' : undefined)
    assert.deepEqual(await mailer.deliver(mail), { stage: 'recipient', code: 550, enhanced: '5.1.1' })
    box.answer = (_to, at) => (at === 'end' ? 'drop' : undefined)
    assert.deepEqual(await mailer.deliver(mail), { stage: 'end', code: null, enhanced: null })
    assert.equal(/^DKIM-Signature:/m.test(box.mails[0]?.text ?? ''), isSigned)
    box.answer = () => undefined
    assert.equal((await mailer.deliver(mail)).code, 250)
  })

test('a certificate that has expired is a failed login, not a passing fault', async (t) => {
  const day = 86_400_000
  const validity = { from: new Date(Date.now() - 2 * day), until: new Date(Date.now() - day) }
  const server = createServer(makeCertificate('localhost', validity), (socket) => {
    socket.on('error', () => undefined)
    socket.end('220 never read\r\n')
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  defer(t, () => server.close())
  const { port } = server.address() as AddressInfo
  const mailer = makeMailer(t, { SMTP_URL: `smtps://localhost:${port}` })
  assert.deepEqual(await mailer.deliver(mail), { stage: 'login', code: null, enhanced: null })
})
