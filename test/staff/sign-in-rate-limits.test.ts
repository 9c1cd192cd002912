import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import {
  ceilingNetworkBits,
  networkFailureSeconds,
  networkFailuresMax,
  signInFailuresFree,
} from '../../src/limits.ts'
import { networkOf } from '../../src/staff/address-network.ts'
import { countNetworkAttempt } from '../../src/staff/network-failures.ts'
import { setTotpSecret } from '../../src/staff/staff.ts'
import { makeServer, type Server, suiteLifetime } from '../scenes/scene.ts'
import { type Browser, makeBrowser, makeStaff, password, signInAs } from '../scenes/staff-scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe('sign-in rate limits', () => {
  const lifetime = suiteLifetime()
  let servers: Server[] = []
  let clock = new Date()
  before(async () => {
    const options = { env: { TRUST_PROXY: '127.0.0.1' }, now: () => clock }
    const first = await makeServer(lifetime, options)
    const { target } = first
    const second = await makeServer(lifetime, { ...options, database: { target, db: first.ctx.db } })
    servers = [first, second]
  })
  const db = () => (servers[0] as Server).ctx.db
  const wait = (seconds: number) => (clock = new Date(clock.getTime() + seconds * 1000))

  type Guess = { email: string; password: string; code?: string }
  const attempt = (browser: Browser, body: Guess, address: string) =>
    browser.call('POST', '/api/v1/session', { body, headers: { 'X-Forwarded-For': address } })
  /** Sent concurrently, alternating between the two servers. */
  const atOnce = (guesses: readonly Guess[], addressOf: (index: number) => string) =>
    Promise.all(
      guesses.map((body, index) => {
        const server = servers[index % servers.length] as Server
        return attempt(makeBrowser(server), body, addressOf(index))
      }),
    )
  const codesOf = (answers: { body: Record<string, unknown> }[]) => answers.map(({ body }) => body.code)
  const countOf = (codes: unknown[], code: string) => codes.filter((one) => one === code).length

  test('of 20 passwords tried concurrently over two servers, no more are checked than in sequence', async () => {
    const { email } = await makeStaff(db(), [])
    const guesses = Array.from({ length: 20 }, (_, index) => ({ email, password: `guess ${index}` }))
    const codes = codesOf(await atOnce(guesses, () => '10.0.0.1'))
    assert.equal(countOf(codes, 'sign_in_failed'), signInFailuresFree)
    assert.equal(countOf(codes, 'sign_in_delayed'), 20 - signInFailuresFree)
  })

  test('of 12 codes tried concurrently with the right password from 12 addresses, only the first few are checked', async () => {
    const person = await makeStaff(db(), [])
    const totp = new TOTP({ issuer: 'Wheelhouse', label: 'staff', digits: 6, period: 30 })
    await setTotpSecret(db(), person.staffId, totp.secret.base32)
    const right = Number(totp.generate({ timestamp: clock.getTime() }))
    const guesses = Array.from({ length: 12 }, (_, index) => ({
      email: person.email,
      password,
      code: String((right + 400_000 + index) % 1_000_000).padStart(6, '0'),
    }))
    const codes = codesOf(await atOnce(guesses, (index) => `10.0.1.${index}`))
    assert.equal(countOf(codes, 'second_factor_wrong'), signInFailuresFree)
    assert.equal(countOf(codes, 'sign_in_delayed'), 12 - signInFailuresFree)
  })

  test(
    'guesses at many accounts from one network reach a limit; known browsers and other networks still get in',
    onLanding,
    async () => {
      const person = await makeStaff(db(), [])
      const own = await signInAs(servers[0] as Server, person)
      const network = (index: number) => `2001:db8:0:1${String(index % 100).padStart(2, '0')}::1`
      // Checking a password takes a while, so most of the guesses are only counted.
      for (let guess = 0; guess < networkFailuresMax - 5; guess++)
        assert.equal(await countNetworkAttempt(db(), networkOf(network(guess), ceilingNetworkBits), clock), 0)
      const guesses = Array.from({ length: 10 }, (_, index) => ({
        email: `nobody-${index}@example.com`,
        password: 'Summer2026!!',
      }))
      const codes = codesOf(await atOnce(guesses, network))
      assert.equal(countOf(codes, 'sign_in_failed'), 5)
      assert.equal(countOf(codes, 'sign_in_delayed'), 5)
      const right = { email: person.email, password }
      const held = await attempt(makeBrowser(servers[1] as Server), right, network(0))
      assert.equal(held.body.code, 'sign_in_delayed')
      assert.equal(held.headers.get('retry-after'), String(networkFailureSeconds))
      assert.equal((await attempt(own, right, network(0))).status, 200, 'a known browser')
      const elsewhere = await attempt(makeBrowser(servers[1] as Server), right, '2001:db8:0:200::1')
      assert.equal(elsewhere.status, 200, 'another network')
      wait(networkFailureSeconds)
      for (const turn of [1, 2]) {
        const colleague = await attempt(makeBrowser(servers[0] as Server), right, network(2))
        assert.equal(colleague.status, 200, `success ${turn} uses no quota`)
      }
    },
  )

  test('password attempts with a stolen session are rate-limited', async () => {
    const person = await makeStaff(db(), [])
    const stolen = await signInAs(servers[0] as Server, person)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        stolen.call('DELETE', '/api/v1/account/second-factor', { body: { password: `guess ${index}` } }),
      ),
    )
    assert.equal(countOf(codesOf(answers), 'sign_in_failed'), signInFailuresFree)
  })
})

test('addresses of one network count as one, in every notation', () => {
  const same = (bits: number, ...addresses: string[]) =>
    assert.equal(new Set(addresses.map((one) => networkOf(one, bits))).size, 1, addresses.join(' '))
  same(64, '2001:db8::1', '2001:db8::2', '2001:0db8:0:0:ffff::9', '2001:DB8:0:0:1:2:3:4')
  same(56, '2001:db8:0:100::1', '2001:db8:0:1ff::1')
  same(64, '192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207')
  assert.notEqual(networkOf('192.0.2.7', 64), networkOf('192.0.2.8', 64))
  assert.notEqual(networkOf('2001:db8:0:1::1', 64), networkOf('2001:db8:0:2::1', 64))
  assert.notEqual(networkOf('2001:db8:0:100::1', 56), networkOf('2001:db8:0:200::1', 56))
  assert.equal(networkOf('fe80::1%eth0', 64), networkOf('fe80::2', 64))
})
