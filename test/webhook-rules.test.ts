import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { parseConfig } from '../src/config.ts'
import { webhookProbePauseSecondsMax, webhookRetryAfterSecondsMax } from '../src/limits.ts'
import { judgeAnswer } from '../src/webhooks/answers.ts'
import { probePauseMs, retryPauseMs } from '../src/webhooks/retry-schedule.ts'
import { liveSecrets, makeWebhookSecret, signWebhook } from '../src/webhooks/signature.ts'
import { repository } from './scene.ts'

const now = new Date()

test('the public standardwebhooks library accepts what we sign, whatever the body', () => {
  fc.assert(
    fc.property(fc.json(), fc.stringMatching(/^evt_[a-z0-9_]{1,40}$/), (body, id) => {
      const secret = makeWebhookSecret()
      const headers = signWebhook({ id, sentAt: now, body }, [secret])
      assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
    }),
  )
})

test('a changed body, id, time or secret is not accepted', () => {
  const secret = makeWebhookSecret()
  const headers = signWebhook({ id: 'evt_1', sentAt: now, body: '{"a":1}' }, [secret])
  const later = String(Number(headers['webhook-timestamp']) + 1)
  const receiver = new Webhook(secret)
  assert.throws(() => receiver.verify('{"a":2}', headers))
  assert.throws(() => receiver.verify('{"a":1}', { ...headers, 'webhook-id': 'evt_2' }))
  assert.throws(() => receiver.verify('{"a":1}', { ...headers, 'webhook-timestamp': later }))
  assert.throws(() => new Webhook(makeWebhookSecret()).verify('{"a":1}', headers))
})

test('a signature is what the specification gives as an example', () => {
  const headers = signWebhook(
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt: new Date(1_614_265_330_000), body: '{"test": 2432232314}' },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  )
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  assert.equal(headers['webhook-timestamp'], '1614265330')
})

test('after a rotation both secrets sign until the old one ends', () => {
  const [secret, previousSecret] = [makeWebhookSecret(), makeWebhookSecret()]
  const secrets = { secret, previousSecret, previousSecretUntil: new Date(now.getTime() + 1) }
  assert.deepEqual(liveSecrets(secrets, now), [secret, previousSecret])
  assert.deepEqual(liveSecrets(secrets, secrets.previousSecretUntil), [secret])
  assert.deepEqual(liveSecrets({ secret, previousSecret: null, previousSecretUntil: null }, now), [secret])
  const headers = signWebhook({ id: 'evt_1', sentAt: now, body: '{}' }, liveSecrets(secrets, now))
  for (const known of [secret, previousSecret]) new Webhook(known).verify('{}', headers)
})

test('the receiver in the documentation takes what is genuine, and nothing else', async () => {
  const text = readFileSync(join(repository, 'docs', 'webhooks.md'), 'utf8')
  const code = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? assert.fail('no code')
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    verifyWebhook: (secret: string, headers: object, body: string) => unknown
  }
  const [secret, other] = [makeWebhookSecret(), makeWebhookSecret()]
  const headers = signWebhook({ id: 'evt_1', sentAt: now, body: '{"a":"é"}' }, [other, secret])
  assert.deepEqual(module.verifyWebhook(secret, headers, '{"a":"é"}'), { a: 'é' })
  assert.throws(() => module.verifyWebhook(secret, headers, '{"a":"e"}'))
  assert.throws(() => module.verifyWebhook(makeWebhookSecret(), headers, '{"a":"é"}'))
  const old = signWebhook({ id: 'evt_1', sentAt: new Date(now.getTime() - 301_000), body: '{}' }, [secret])
  assert.throws(() => module.verifyWebhook(secret, old, '{}'))
})

test('by default there are ten tries over three days, each a little off', () => {
  const { retryPausesSeconds } = parseConfig({}).webhooks
  const totalHours = (chance: number) => {
    let hours = 0
    for (let tries = 1; ; tries++) {
      const pause = retryPauseMs(retryPausesSeconds, tries, chance)
      if (pause === undefined) return { hours, tries }
      hours += pause / 3_600_000
    }
  }
  assert.equal(totalHours(0.5).tries, 10)
  assert.ok(Math.abs(totalHours(0.5).hours - 72) < 1)
  assert.ok(totalHours(0).hours < 65 && totalHours(0.999).hours > 78)
})

test('probes grow apart up to a few minutes', () => {
  const pauses = Array.from({ length: 100 }, (_, index) => probePauseMs(index, 0.5))
  assert.deepEqual(
    pauses,
    pauses.toSorted((a, b) => a - b),
  )
  assert.equal(pauses.at(-1), webhookProbePauseSecondsMax * 1000)
  fc.assert(
    fc.property(fc.nat(10_000), fc.double({ min: 0, max: 0.999, noNaN: true }), (probes, chance) => {
      const pause = probePauseMs(probes, chance)
      assert.ok(pause >= 4_000 && pause <= webhookProbePauseSecondsMax * 1_100)
    }),
  )
})

test('2xx is a delivery, 410 an end, all else a failure', () => {
  const outcome = (status: number | null) => judgeAnswer({ status, retryAfter: null }, now).outcome
  for (const status of [200, 201, 204, 299]) assert.equal(outcome(status), 'delivered')
  for (const status of [301, 302, 304, 307, 400, 401, 404, 408, 429, 500, 503, 999, null])
    assert.equal(outcome(status), 'failed')
  assert.equal(outcome(410), 'gone')
})

test('429 and 503 may ask for time, in seconds or by date, but not for ever', () => {
  const held = (status: number, retryAfter: string | null) => {
    const verdict = judgeAnswer({ status, retryAfter }, now)
    return verdict.outcome === 'failed' ? verdict.holdSeconds : assert.fail()
  }
  assert.equal(held(429, '30'), 30)
  assert.equal(held(503, ' 30 '), 30)
  assert.equal(held(429, '999999999'), webhookRetryAfterSecondsMax)
  const inAMinute = new Date(Math.ceil(now.getTime() / 1000) * 1000 + 60_000).toUTCString()
  assert.ok(Math.abs((held(429, inAMinute) ?? 0) - 60) <= 1)
  for (const nonsense of [null, '', '0', '-5', '1e3', 'soon', new Date(0).toUTCString(), '99999999999999'])
    assert.equal(held(429, nonsense), undefined, String(nonsense))
  assert.equal(held(500, '30'), undefined)
})
