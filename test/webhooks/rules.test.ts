import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { parseConfig } from '../../src/config.ts'
import {
  webhookProbePauseSecondsMax,
  webhookRetryAfterSecondsMax,
  webhookRetryJitter,
  webhooksClaimedMax,
  webhooksHeldMax,
  webhooksServedMax,
  webhooksServedPerMerchantMax,
  webhooksSlowMax,
  webhookTurnMs,
} from '../../src/limits.ts'
import { judgeAnswer } from '../../src/webhooks/sending/answers.ts'
import { maskedUrl } from '../../src/webhooks/endpoint-url.ts'
import { senderLimits } from '../../src/webhooks/sending/sender-limits.ts'
import { freeSlots, type Slot, turnsToEnd } from '../../src/webhooks/sending/slots.ts'
import { retryPauseMs } from '../../src/leases/retry-pause.ts'
import { probePauseMs } from '../../src/webhooks/sending/retry-schedule.ts'
import { liveSecrets, makeWebhookSecret, signWebhook } from '../../src/webhooks/sending/signature.ts'
import { repository, times } from '../scenes/scene.ts'

// Files share a process, so the tests may run long after loading; receivers refuse timestamps that are 5 minutes old.
let now = new Date()
beforeEach(() => {
  now = new Date()
})

test('the public standardwebhooks library accepts our signatures, whatever the body', () => {
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

test('the signature matches the example of the specification', () => {
  const headers = signWebhook(
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt: new Date(1_614_265_330_000), body: '{"test": 2432232314}' },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  )
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  assert.equal(headers['webhook-timestamp'], '1614265330')
})

test('after a rotation both secrets sign until the old one expires', () => {
  const [secret, previousSecret] = [makeWebhookSecret(), makeWebhookSecret()]
  const secrets = { secret, previousSecret, previousSecretUntil: new Date(now.getTime() + 1) }
  assert.deepEqual(liveSecrets(secrets, now), [secret, previousSecret])
  assert.deepEqual(liveSecrets(secrets, secrets.previousSecretUntil), [secret])
  assert.deepEqual(liveSecrets({ secret, previousSecret: null, previousSecretUntil: null }, now), [secret])
  const headers = signWebhook({ id: 'evt_1', sentAt: now, body: '{}' }, liveSecrets(secrets, now))
  for (const known of [secret, previousSecret]) new Webhook(known).verify('{}', headers)
})

test('the receiver in the documentation accepts only genuine deliveries', async () => {
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

test('the default is ten attempts over three days, with jitter', () => {
  const { retryPausesSeconds } = parseConfig({}).webhooks
  const totalHours = (chance: number) => {
    let hours = 0
    for (let tries = 1; ; tries++) {
      const pause = retryPauseMs(retryPausesSeconds, { tries, spread: webhookRetryJitter, chance })
      if (pause === undefined) return { hours, tries }
      hours += pause / 3_600_000
    }
  }
  assert.equal(totalHours(0.5).tries, 10)
  assert.ok(Math.abs(totalHours(0.5).hours - 72) < 1)
  assert.ok(totalHours(0).hours < 65 && totalHours(0.999).hours > 78)
})

test('the interval between probes grows up to a few minutes', () => {
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

test('2xx is a success, 410 disables, anything else is a failure', () => {
  const outcome = (status: number | null) => judgeAnswer({ status, retryAfter: null }, now).outcome
  for (const status of [200, 201, 204, 299]) assert.equal(outcome(status), 'delivered')
  for (const status of [301, 302, 304, 307, 400, 401, 404, 408, 429, 500, 503, 999, null])
    assert.equal(outcome(status), 'failed')
  assert.equal(outcome(410), 'gone')
})

test('an address is shown without parts that may be a key', () => {
  for (const [url, shown] of [
    ['https://shop.example/', 'https://shop.example/'],
    ['https://shop.example:8443/hooks/orders', 'https://shop.example:8443/hooks/orders'],
    ['https://shop.example/hooks?key=abc&b=1', 'https://shop.example/hooks?…'],
    ['https://shop.example/?abc', 'https://shop.example/?…'],
    [
      'https://chat.example/services/T024BE7LD/B024BE7LD/XXXXXXXXXXXXXXXXXXXXXXXX',
      'https://chat.example/services/T024BE7LD/B024BE7LD/XXXX…',
    ],
  ] as const)
    assert.equal(maskedUrl(url), shown)
})

describe('worker slots', () => {
  const served = (count: number, about: Partial<Slot> = {}) =>
    times(count, () => ({
      webhookNo: ++webhookNo,
      merchantId: 1,
      isSlow: false,
      isLeaving: false,
      since: 0,
      ...about,
    }))
  let webhookNo = 0
  const waits = (merchantId: number, count: number, isSlow = false) => ({ merchantId, isSlow, count })
  const later = webhookTurnMs

  test('of slow webhooks do not count against the others, and slots being released do not count as slow', () => {
    const slow = served(webhooksSlowMax, { isSlow: true })
    const { quick, slow: free } = freeSlots(slow)
    assert.deepEqual([quick, free], [webhooksClaimedMax, 0])
    assert.equal(freeSlots(slow.map((slot) => ({ ...slot, isLeaving: true }))).slow, webhooksClaimedMax)
    assert.equal(freeSlots(served(webhooksServedMax - 1)).quick, 1)
    assert.equal(freeSlots(served(webhooksHeldMax, { isSlow: true, isLeaving: true })).quick, 0)
  })

  test('are released after a turn if others wait, and not before', () => {
    const slots = served(webhooksServedMax, { merchantId: 1 })
    assert.deepEqual(turnsToEnd(slots, [], later), [])
    assert.deepEqual(turnsToEnd(slots, [waits(2, 3)], later - 1), [])
    assert.equal(turnsToEnd(slots, [waits(2, 3)], later).length, 3)
    assert.deepEqual(turnsToEnd(slots, [waits(2, 3, true)], later), [])
    assert.deepEqual(turnsToEnd(slots.slice(3), [waits(2, 3)], later), [])
  })

  test('are released by the merchant that has the most of them', () => {
    const [many, few] = [
      served(webhooksServedMax - 2, { merchantId: 1, since: 1 }),
      served(2, { merchantId: 2 }),
    ]
    const ended = turnsToEnd([...few, ...many], [waits(3, 5)], later + 1)
    assert.deepEqual(
      ended,
      many.slice(0, 5).map((slot) => slot.webhookNo),
    )
  })

  test('of a merchant at its limit are released to its own webhooks', () => {
    const full = served(webhooksServedPerMerchantMax, { merchantId: 1 })
    const others = served(5, { merchantId: 2 })
    const ended = turnsToEnd([...others, ...full], [waits(1, 2)], later)
    assert.deepEqual(
      ended,
      full.slice(0, 2).map((slot) => slot.webhookNo),
    )
  })
})

test('a sender starts with little concurrency, grows with successes, and stays slow for a slow receiver', () => {
  const limits = (takenCount: number, isSlow = false) => senderLimits({ isSlow, takenCount, concurrency: 16 })
  assert.deepEqual([limits(0).concurrency, limits(5).concurrency, limits(1_000).concurrency], [4, 9, 16])
  assert.deepEqual([limits(0).readMax, limits(100).readMax, limits(1_000).readMax], [16, 200, 500])
  assert.deepEqual([limits(1_000, true).concurrency, limits(1_000, true).readMax], [4, 16])
})

test('Retry-After with 429 and 503 is honoured, in seconds or as a date, up to a limit', () => {
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
