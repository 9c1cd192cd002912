import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readAuditLog } from '../../src/audit-log/audit-log.ts'
import type { Merchant } from '../../src/merchants/merchants.ts'
import { insertInvitation } from '../../src/staff/invitations.ts'
import { findStaffByEmail, listMemberships } from '../../src/staff/staff.ts'
import { databaseUrl, makeMerchant, makeServer, runCli, type Server, suiteLifetime } from '../scenes/scene.ts'
import { makeBrowser, makeStaff, password, signInAs } from '../scenes/staff-scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe('invitations', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    server = await makeServer(lifetime)
    await makeStaff(db(), [], { isOperator: true })
  })
  const db = () => server.ctx.db

  const cli = (...args: string[]) =>
    runCli(['staff', ...args], { DATABASE_URL: databaseUrl(server.target), PUBLIC_URL: server.url })
  const run = async (...args: string[]): Promise<any> => {
    const { code, stdout, stderr } = await cli(...args, '--json')
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  const invite = (email: string, place: { merchant: Merchant } | 'operator'): Promise<string> =>
    insertInvitation(db(), {
      email,
      merchantId: place === 'operator' ? null : place.merchant.merchantId,
      role: place === 'operator' ? null : 'editor',
      makesOperator: place === 'operator',
      resetsStaffId: null,
      madeBy: 'test',
      now: new Date(),
    })
  const accept = async (token: string, browser = makeBrowser(server)) => {
    const body = { token, name: 'Cy', password }
    const answer = await browser.call('POST', '/api/v1/session/acceptance', { body })
    return answer.status === 200 ? 'accepted' : answer.body.code
  }
  const actionsOf = async ({ merchantId }: Merchant) => {
    const page = { before: Number.MAX_SAFE_INTEGER, limit: 100 }
    return (await readAuditLog(db(), merchantId, page)).entries.map((entry) => entry.action).toReversed()
  }

  test('a removed person cannot come back with an older invitation', onLanding, async () => {
    const { merchant } = await makeMerchant(db())
    const email = 'cy@example.com'
    const [older, newer] = [await invite(email, 'operator'), await invite(email, 'operator')]
    const role = await invite(email, { merchant })
    assert.equal(await accept(newer), 'accepted')
    assert.equal(await accept(older), 'invitation_invalid')
    assert.deepEqual(await run('remove', 'Cy@example.com'), {
      removed: 'Cy@example.com',
      withdrawnInvitations: 1,
    })
    assert.equal(await accept(role), 'invitation_invalid')
    assert.equal(await findStaffByEmail(db(), email), undefined)
    assert.deepEqual(await actionsOf(merchant), ['staff.withdraw'])
  })

  test('an accepted invitation voids the others to the same merchant, and none to another', async () => {
    const [{ merchant }, { merchant: other }] = [await makeMerchant(db()), await makeMerchant(db())]
    const email = 'dee@example.com'
    const [first, second] = [await invite(email, { merchant }), await invite(email, { merchant })]
    const elsewhere = await invite(email, { merchant: other })
    const browser = makeBrowser(server)
    assert.equal(await accept(second, browser), 'accepted')
    assert.equal(await accept(first, browser), 'invitation_invalid')
    assert.equal(await accept(elsewhere, browser), 'accepted')
  })

  test('of several invitations to one merchant that are accepted at once, one works', async () => {
    const { merchant } = await makeMerchant(db())
    const tokens = await Promise.all([1, 2, 3, 4].map(() => invite('eve@example.com', { merchant })))
    const outcomes = await Promise.all(tokens.map((token) => accept(token)))
    assert.deepEqual(outcomes.map(String).toSorted(), ['accepted', ...Array(3).fill('invitation_invalid')])
  })

  test('an acceptance that is refused voids nothing', async () => {
    const { merchant } = await makeMerchant(db())
    const person = await makeStaff(db(), [])
    const [first, second] = [
      await invite(person.email, { merchant }),
      await invite(person.email, { merchant }),
    ]
    assert.equal(await accept(first), 'account_exists')
    assert.equal(await accept(second, await signInAs(server, person)), 'accepted')
  })

  test("removing a person from a merchant withdraws the merchant's invitations to them", async () => {
    const [{ merchant }, { merchant: other }] = [await makeMerchant(db()), await makeMerchant(db())]
    const owner = await makeStaff(db(), [[merchant, 'owner']])
    const person = await makeStaff(db(), [[merchant, 'viewer']])
    const here = await invite(person.email, { merchant })
    const elsewhere = await invite(person.email, { merchant: other })
    const console = await signInAs(server, owner)
    const path = `/api/v1/staff/${person.staffId}`
    assert.equal((await console.call('DELETE', path, { merchant: merchant.slug })).status, 200)
    const browser = await signInAs(server, person)
    assert.equal(await accept(here, browser), 'invitation_invalid')
    assert.equal(await accept(elsewhere, browser), 'accepted')
    assert.deepEqual(await actionsOf(merchant), ['staff.remove', 'staff.withdraw'])
  })

  test('the command line lists open invitations without their secrets, and withdraws them', async () => {
    const { merchant } = await makeMerchant(db())
    const email = 'fay@example.com'
    const tokens = [await invite(email, 'operator'), await invite(email, { merchant })]
    const person = await makeStaff(db(), [])
    const rows = (await run('list')) as Record<string, unknown>[]
    assert.deepEqual(
      rows
        .filter((row) => row.email === email)
        .map(({ name, operator, roles, invitedUntil }) => [name, operator, roles, typeof invitedUntil]),
      [
        [null, true, [], 'string'],
        [null, false, [`${merchant.slug}:editor`], 'string'],
      ],
    )
    assert.equal(rows.find((row) => row.email === person.email)?.invitedUntil, null)
    const { stdout } = await cli('list')
    assert.match(stdout, /^email +name +operator +secondFactor +roles +createdAt +provenAt +invitedUntil\n/)
    for (const token of tokens) assert.ok(!`${stdout}${JSON.stringify(rows)}`.includes(token))
    const removed = await cli('remove', email)
    assert.equal(removed.stdout, `${email} has no account. Withdrew 2 open invitations.\n`)
    for (const token of tokens) assert.equal(await accept(token), 'invitation_invalid')
    const again = await cli('remove', email)
    assert.deepEqual([again.code, again.stdout], [1, ''])
    assert.match(again.stderr, /^wheelhouse: No account or open invitation has the address "fay@example.com"/)
  })

  test('the only owner of a merchant is removed only by force', async () => {
    const [{ merchant }, { merchant: other }] = [await makeMerchant(db()), await makeMerchant(db())]
    const { email } = await makeStaff(db(), [
      [merchant, 'owner'],
      [other, 'owner'],
    ])
    await makeStaff(db(), [[other, 'owner']])
    const token = await invite(email, 'operator')
    const refused = await cli('remove', email)
    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      new RegExp(`needs at least one owner, and ${email} is the only owner of ${merchant.slug}\\. `),
    )
    assert.notEqual(await findStaffByEmail(db(), email), undefined)
    const forced = await cli('remove', email, '--force')
    assert.equal(forced.stdout, `Removed ${email}. Withdrew 1 open invitation.\n`)
    assert.equal(await accept(token), 'invitation_invalid')
  })

  test('an operator right ends, the account and its roles stay, and no invitation gives it back', async () => {
    const { merchant } = await makeMerchant(db())
    const person = await makeStaff(db(), [[merchant, 'viewer']], { isOperator: true })
    const browser = await signInAs(server, person)
    const token = await invite(person.email, 'operator')
    assert.deepEqual(await run('operator', person.email, 'off'), { email: person.email, operator: false })
    assert.equal(await accept(token, browser), 'invitation_invalid')
    assert.equal((await browser.call('GET', '/api/v1/operator/merchants')).body.code, 'role_missing')
    assert.equal((await findStaffByEmail(db(), person.email))?.isOperator, false)
    assert.deepEqual(
      (await listMemberships(db(), person.staffId)).map(({ role }) => role),
      ['viewer'],
    )
    await run('operator', person.email, 'on', '--yes')
    assert.equal((await browser.call('GET', '/api/v1/operator/merchants')).status, 200)
    await run('operator', person.email, 'off')
    assert.deepEqual(await actionsOf(merchant), Array(3).fill('staff.operator'))
  })

  test('an operator is made only after a look at who invited the account, and whether its address is proven', async () => {
    const { merchant } = await makeMerchant(db())
    const email = 'ceo@example.com'
    assert.equal(await accept(await invite(email, { merchant })), 'accepted')
    const asked = await cli('operator', email, 'on')
    assert.equal(asked.code, 1)
    assert.match(
      asked.stderr,
      new RegExp(
        `^wheelhouse: The account ${email} \\("Cy"\\) was made on 20.*Z, by an invitation by test to ${merchant.slug}\\. ` +
          `Nobody has proven to read the mailbox of ${email}\\. .* repeat the command with --yes\\.\\n$`,
      ),
    )
    assert.equal((await findStaffByEmail(db(), email))?.isOperator, false)
    await run('operator', email, 'on', '--yes')
    assert.equal((await findStaffByEmail(db(), email))?.isOperator, true)
  })

  test('roles and options that do not fit are refused in a sentence', async () => {
    const { merchant } = await makeMerchant(db())
    const { email } = await makeStaff(db(), [[merchant, 'viewer']])
    for (const [args, sentence] of [
      [
        ['role', email, merchant.slug, 'king'],
        /'king' is invalid .* owner, editor, support, viewer, none\.\n$/,
      ],
      [['invite', email, '--operator', '--role', 'viewer'], /^wheelhouse: --role needs --merchant/],
      [['operator', email, 'maybe'], /Write on or off\.\n$/],
    ] as const) {
      const { code, stderr } = await cli(...args)
      assert.equal(code, 1)
      assert.match(stderr, sentence)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
    }
  })
})

test('the last operator loses the right, or the account, only by force', onLanding, async (t) => {
  const { target, ctx } = await makeServer(t)
  const { email } = await makeStaff(ctx.db, [], { isOperator: true })
  const cli = (...args: string[]) => runCli(['staff', ...args], { DATABASE_URL: databaseUrl(target) })
  for (const args of [
    ['operator', email, 'off'],
    ['remove', email],
  ]) {
    const refused = await cli(...args)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^wheelhouse: There must be at least one operator, and .* is the only one\./)
  }
  assert.equal((await findStaffByEmail(ctx.db, email))?.isOperator, true)
  assert.equal((await cli('operator', email, 'off', '--force')).code, 0)
  assert.equal((await cli('operator', email, 'on', '--yes')).code, 0)
  assert.equal((await cli('remove', email, '--force')).code, 0)
  assert.equal(await findStaffByEmail(ctx.db, email), undefined)
})
