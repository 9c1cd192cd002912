import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { encode } from 'uqr'
import { qrPicture } from '../../src/mails/qr-picture.ts'
import { times } from '../scenes/scene.ts'
import { playerLanguages } from '../../src/languages/mail-words.ts'
import { isPlainAddress, type SmtpReply } from '../../src/mail.ts'
import { judgeReply, type MailVerdict } from '../../src/mails/judge-reply.ts'
import { marketingKinds } from '../../src/mails/mail-kinds.ts'
import { afterReply } from '../../src/mails/settle-reply.ts'
import { renderMessage } from '../../src/messages/render-message.ts'

test('every reply of the SMTP server has its verdict', () => {
  const table: [string, SmtpReply['stage'] | SmtpReply['stage'][], MailVerdict][] = [
    ['250 2.0.0', 'end', 'sent'],
    ['', 'end', 'unknown'],
    ['', ['connection', 'from', 'recipient', 'data'], 'retry'],
    ...['421 4.3.2', '451 4.3.0', '450 4.2.1', '451 4.7.1'].map(
      (text): [string, SmtpReply['stage'][], MailVerdict] => [
        text,
        ['from', 'recipient', 'data', 'end'],
        'retry',
      ],
    ),
    ['452 4.2.2', ['recipient', 'end'], 'mailbox_full'],
    ['552 5.2.2', ['recipient', 'end'], 'mailbox_full'],
    ...['550 5.1.1', '553 5.1.3', '550 5.1.2', '556 5.1.10', '550 5.2.1'].map(
      (text): [string, SmtpReply['stage'], MailVerdict] => [text, 'recipient', 'address_dead'],
    ),
    ['550', 'recipient', 'address_doubtful'],
    ['552 5.3.4', 'end', 'content_refused'],
    ['554 5.6.0', 'end', 'content_refused'],
    ['550 5.7.1', ['from', 'recipient', 'data', 'end'], 'sender_refused'],
    ['550 5.7.26', ['recipient', 'end'], 'sender_refused'],
    ['554 5.7.1', 'end', 'sender_refused'],
    ['553 5.1.8', 'from', 'sender_refused'],
    ['554', 'connection', 'sender_refused'],
    ['535 5.7.8', 'login', 'login_failed'],
    ['454 4.7.0', 'login', 'login_failed'],
    ['', 'login', 'login_failed'],
    ['', 'local', 'mail_failed'],
  ]
  for (const [text, stages, verdict] of table)
    for (const stage of [stages].flat()) {
      const [code, enhanced = null] = text.split(' ')
      assert.equal(
        judgeReply({ stage, code: code ? Number(code) : null, enhanced }),
        verdict,
        `${text} at ${stage}`,
      )
    }
})

test('a mail is tried again within its useful life, also if nobody knows whether it arrived', () => {
  const now = new Date('2026-11-19T12:00:00Z')
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  const won = { kind: 'won', tries: 0, unknowns: 0, expiresAt: inHours(48) } as const
  const by = { now, chance: 0.5 }
  const again = afterReply(won, 'retry', by)
  assert.deepEqual([again.state, again.dueAt, again.tries], ['planned', new Date(now.getTime() + 60_000), 1])
  assert.equal(afterReply({ ...won, tries: 7 }, 'retry', by).state, 'refused')
  assert.equal(afterReply({ ...won, tries: 5, expiresAt: inHours(1) }, 'retry', by).state, 'refused')
  const unknown = afterReply(won, 'unknown', by)
  assert.deepEqual([unknown.state, unknown.unknowns], ['planned', 1])
  assert.equal(afterReply({ ...won, unknowns: 1 }, 'sent', by).reason, 'unknown_before')
  assert.equal(
    afterReply({ ...won, unknowns: 1 }, 'unknown', by).state,
    'unknown',
    'it may come twice, no more',
  )
  assert.equal(
    afterReply({ ...won, kind: 'spins_waiting' }, 'unknown', by).state,
    'unknown',
    'nobody waits for it',
  )
  const spam = afterReply(won, 'sender_refused', by)
  assert.deepEqual([spam.state, spam.tries], ['planned', 1], 'not for ever')
  const paused = afterReply(won, 'login_failed', by)
  assert.deepEqual([paused.state, paused.tries], ['planned', 0], 'no attempt is counted')
})

test('an address that a mail program could read as another one is refused', () => {
  for (const address of ['ann@shop.example', "o'neil+tag@sub.shop.example", 'käthe@shop.example'])
    assert.ok(isPlainAddress(address), address)
  const bad = [
    '"a@gmail.com x"@shop.example',
    'a@b.example,c@d.example',
    'a@good.example(x)evil.example',
    'a b@c.example',
  ]
  for (const address of [...bad, 'a@b.example\r\nBcc: x@y.example', '<a@b.example>', 'a@@b.example'])
    assert.ok(!isPlainAddress(address), address)
})

test('the last day is the one on which it is not over yet', () => {
  const [language, timeZone, link] = ['en', 'Europe/Berlin', 'https://play.example.com/']
  const until = (over: string) => {
    const facts = { merchant: 'Acme', prize: 'Mug', code: null, lastDay: new Date(over), timeZone, link }
    return /^Last day: (.+)$/m.exec(renderMessage('won', { language, layers: [], facts }).text)?.[1]
  }
  assert.equal(until('2026-12-31T23:00:00Z'), 'December 31, 2026')
  assert.match(until('2026-12-31T08:14:00Z') ?? '', /^December 31, 2026 at 9:14.AM GMT\+1$/)
})

test('messages are complete in every language, and nothing in them is markup of somebody else', () => {
  const facts = {
    merchant: 'A\r\nBcc: x@y.example',
    prize: '<b>Coffee</b> & "cake"',
    code: 'CAFE-7Q2X',
    lastDay: new Date('2026-12-24T12:00:00Z'),
    timeZone: 'Europe/Berlin',
    link: 'https://play.example.com/wallet/?token=a.b.c',
  }
  for (const language of playerLanguages)
    for (const kind of ['won', 'claim_ends'] as const) {
      const { subject, text, html, fromName } = renderMessage(kind, { language, layers: [], facts })
      for (const part of [subject, text, html]) assert.doesNotMatch(part, /\{\w+\}/, language)
      assert.doesNotMatch(`${subject}${fromName}`, /[\r\n]/)
      for (const part of [text, html]) {
        assert.ok(part.includes('CAFE-7Q2X') && part.includes('play.example.com/wallet/'), language)
        assert.ok(!part.includes('Bcc: x@'), 'an address in a name is no address any more')
      }
      assert.ok(html.includes('&lt;b&gt;Coffee&lt;/b&gt; &amp; &quot;cake&quot;'))
      assert.ok(html.includes(`lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`))
      assert.ok(Buffer.byteLength(html) < 100_000)
    }
  const aboutSpins = { ...facts, spins: 3, unsubscribe: 'https://play.example.com/u/abc' }
  for (const language of playerLanguages)
    for (const kind of marketingKinds) {
      const { prize: _, code: __, ...spinFacts } = aboutSpins
      const { subject, text, html } = renderMessage(kind, { language, layers: [], facts: spinFacts })
      for (const part of [subject, text, html]) assert.doesNotMatch(part, /\{\w+\}/, language)
      for (const part of [text, html])
        assert.ok(part.includes('play.example.com/u/abc') && part.includes('3'), language)
    }
  const own = { 'pt-BR': { subject: 'Oba, {prize}', lead: 'Linha 1\nLinha 2' } }
  const mine = renderMessage('won', { language: 'pt-BR', layers: [own], facts })
  assert.match(mine.subject, /^Oba, /)
  assert.match(mine.html, /Linha 1<br>Linha 2/)
})

test('the picture of a code has the squares that a scanner reads', () => {
  const text = 'TREAT-7Q2M'
  const png = qrPicture(text)
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const width = png.readUInt32BE(16)
  const scale = width / size
  assert.ok(Number.isInteger(scale) && width >= 100)
  const start = png.indexOf('IDAT') + 4
  const rows = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)))
  const isDark = (x: number, y: number) => {
    const byte = rows[y * (1 + Math.ceil(width / 8)) + 1 + Math.floor(x / 8)] as number
    return (byte & (0x80 >> (x % 8))) === 0
  }
  const seen = times(size, (y) => times(size, (x) => isDark(x * scale + 1, y * scale + 1)))
  assert.deepEqual(seen, data)
})
