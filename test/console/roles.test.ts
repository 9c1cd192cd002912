import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeBuild, readBuild } from '../../src/version.ts'
import { insertInvitation } from '../../src/staff/invitations.ts'
import { listStaff } from '../../src/staff/staff.ts'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import { publishWheel, saveDraft } from '../../src/wheels/wheels.ts'
import { makeConsoleSuite, makeTestMerchant, openPage, settled, openConsole } from './console-scene.ts'
import { untilState, wheelOf } from '../scenes/game-scene.ts'
import { makePng, makeWav } from '../scenes/media.ts'
import { post, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeStaff, password } from '../scenes/staff-scene.ts'
import { saved } from './typed-fields.ts'

describe('the console by role', () => {
  const suite = makeConsoleSuite()

  test(
    'an owner gets from the first sign-in to a published wheel that a player spins',
    onLanding,
    async (t) => {
      const { merchant, token } = await makeTestMerchant(suite)
      const { db } = suite.server.ctx
      const secret = await insertInvitation(db, {
        email: null,
        merchantId: merchant.merchantId,
        role: 'owner',
        makesOperator: false,
        resetsStaffId: null,
        madeBy: 'test',
        now: new Date(),
      })
      const { page, requests, pageErrors } = await openPage(t, suite)
      await page.goto(`${suite.server.url}/console/welcome#${secret}`)
      await page.getByLabel('Email').fill(`owner-${merchant.slug}@example.com`)
      assert.ok(!page.url().includes(secret), 'the secret leaves the address bar')
      await page.getByLabel('Your name').fill('Olga Owner')
      await page.getByLabel('Choose a password').fill('a long enough password')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
      await page.getByText(`Wheelhouse ${describeBuild(readBuild())}`).waitFor()

      await page.getByRole('link', { name: 'Wheels' }).click()
      await page.getByRole('link', { name: 'Lucky wheel' }).click()
      await page.locator('.segment-name', { hasText: '10 spins' }).click()
      await page.getByLabel('Label').fill('Golden egg')
      await page.getByLabel('Weight').fill('1000000000')
      await saved(page)
      await page.frameLocator('iframe').locator('#disc text', { hasText: 'Golden' }).waitFor()
      await page.getByRole('button', { name: 'Publish…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog
        .getByRole('table', { name: 'Changes' })
        .getByRole('cell', { name: 'Golden egg', exact: true })
        .waitFor()
      await dialog.getByLabel('I have checked').check()
      await dialog.getByRole('button', { name: 'Publish version 2' }).click()
      await page.getByText('Version 2 is live', { exact: true }).waitFor()

      await until(async () => (await suite.server.ctx.wheels.current(merchant.merchantId)).version === 2)
      const answer = await post(`${suite.server.url}/api/game/sso`, token, {
        playerId: 'pia',
        initialSpin: 1,
      })
      const player = await openPage(t, suite)
      await player.page.goto(`${suite.server.url}/spinthewheel/?token=${answer.body.token as string}`)
      await player.page.locator('body[data-state="ready"]').waitFor()
      await player.page.locator('#action').click()
      assert.equal(await untilState(player.page, 'won', 'noLuck'), 'won')
      // On a very slow machine, the forecasts in the dialog may be refused (503). They only inform.
      assert.deepEqual(
        pageErrors.filter((one) => !/503.*\/simulation$/.test(one)),
        [],
      )
      assert.ok(requests.every((url) => url.startsWith(suite.server.url) || /^(data|blob):/.test(url)))
    },
  )

  test('an invited person with an account signs in on the page of the invitation, and takes the role', async (t) => {
    const { db } = suite.server.ctx
    const [before, invitedTo] = [await makeTestMerchant(suite), await makeTestMerchant(suite)]
    const { email } = await makeStaff(db, [[before.merchant, 'viewer']])
    const { merchantId, slug } = invitedTo.merchant
    const invite = (to: string | null) =>
      insertInvitation(db, {
        email: to,
        merchantId,
        role: 'editor',
        makesOperator: false,
        resetsStaffId: null,
        madeBy: 'test',
        now: new Date(),
      })
    const { page } = await openPage(t, suite)
    const haveAccount = page.getByRole('button', { name: 'I already have an account' })
    const create = page.getByRole('button', { name: 'Create account' })
    const welcome = `${suite.server.url}/console/welcome`
    await page.goto(`${welcome}#${await invite(null)}`)
    await create.waitFor()
    assert.equal(await haveAccount.count(), 0, 'nobody knows whose account it would be')
    await page.goto('about:blank')
    await page.goto(`${welcome}#${await invite(email)}`)
    await haveAccount.click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText(`You’re signed in as ${email}.`).waitFor()
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
    const [person] = (await listStaff(db)).filter((one) => one.email === email)
    assert.deepEqual(
      person?.merchants.toSorted(),
      [`${before.merchant.slug}:viewer`, `${slug}:editor`].toSorted(),
    )
  })

  test(
    'support redeems a prize by its code, and a second cashier learns that it was redeemed',
    onLanding,
    async (t) => {
      const testMerchant = await makeTestMerchant(suite)
      const { db } = suite.server.ctx
      const { merchantId } = testMerchant.merchant
      const now = new Date()
      const codes = await post(`${suite.server.url}/api/v1/code-pools/sweets/codes`, testMerchant.token, {
        codes: ['SWEET-0042'],
      })
      assert.equal(codes.status, 200)
      const draft = wheelOf({ label: 'Sweets', prize: { kind: 'pool', pool: 'sweets' }, stock: 1 })
      await saveDraft(db, { merchantId, slug: 'main', draft, revision: undefined, now })
      const { version } = await publishWheel(db, { merchantId, slug: 'main', now })
      await until(async () => (await suite.server.ctx.wheels.current(merchantId)).version === version)
      const answer = await post(`${suite.server.url}/api/game/sso`, testMerchant.token, {
        playerId: 'pia',
        initialSpin: 1,
      })
      const player = await openPage(t, suite)
      await player.page.goto(`${suite.server.url}/spinthewheel/?token=${answer.body.token as string}`)
      await player.page.locator('body[data-state="ready"]').waitFor()
      await player.page.locator('#action').click()
      await untilState(player.page, 'won')

      const first = await openConsole(t, suite, { testMerchant, role: 'support', path: '/prizes' })
      const second = await openConsole(t, suite, { testMerchant, role: 'support', path: '/prizes' })
      for (const name of ['Number', 'Code'])
        await first.page.getByRole('columnheader', { name, exact: true }).waitFor()
      for (const { page } of [first, second]) {
        await page.getByLabel('Redeem by code').fill('SWEET-0042')
        await page.keyboard.press('Enter')
        await page.locator('.found').getByText('Open', { exact: true }).waitFor()
      }
      const redeem = async ({ page }: typeof first) => {
        await page.locator('.found').getByRole('button', { name: 'Redeem Sweets for pia' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Redeem', exact: true }).waitFor()
        await page.keyboard.press('Enter')
      }
      await redeem(first)
      await first.page.locator('.found').getByText('Redeemed', { exact: true }).waitFor()
      await first.page.getByRole('dialog').waitFor({ state: 'detached' })
      const warning = first.page.getByText(/Already redeemed, .*Don’t give it again/)
      assert.equal(await warning.count(), 0, 'this till has just redeemed it')
      await first.page.getByLabel('Redeem by code').press('Enter')
      await warning.waitFor()
      await redeem(second)
      await second.page
        .getByText(new RegExp(`The prize was redeemed at \\d+ \\w+ \\d{4}.* by ${first.email}`))
        .waitFor()
      await second.page.locator('.found').getByText('Redeemed', { exact: true }).waitFor()
      await second.page.locator('.found').getByText(first.email).waitFor()

      const editor = await openConsole(t, suite, {
        testMerchant,
        role: 'editor',
        path: '/prizes?code=sweet-0042',
      })
      await editor.page
        .locator('.found')
        .getByRole('button', { name: /^Take back redemption/ })
        .click()
      const dialog = editor.page.getByRole('dialog')
      await dialog.getByLabel('Reason').fill('wrong customer')
      await dialog.getByRole('button', { name: 'Take back redemption' }).click()
      await editor.page.locator('.found').getByText('Claimed', { exact: true }).waitFor()
      assert.equal(await second.page.getByRole('button', { name: /^Take back redemption/ }).count(), 0)

      // The same code again asks the server again.
      const asked = second.page.waitForRequest(/prizes\?code=/)
      await second.page.getByLabel('Redeem by code').press('Enter')
      await asked
      await second.page.locator('.found').getByText('Claimed', { exact: true }).waitFor()
      // Without a connection nothing is kept, to be sent when the customer is gone.
      await second.page.context().setOffline(true)
      await redeem(second)
      await second.page.getByText('The server could not be reached.').first().waitFor()
      await second.page.getByRole('dialog').waitFor({ state: 'detached' })
      await second.page.context().setOffline(false)
      await second.page.getByLabel('Redeem by code').press('Enter')
      await second.page.locator('.found').getByText('Claimed', { exact: true }).waitFor()
      await redeem(second)
      await second.page.locator('.found').getByText('Redeemed', { exact: true }).waitFor()
      await player.page.reload()
      await player.page.locator('#wins button').click()
      assert.match(await player.page.locator('#prizes > li').innerText(), /Sweets[^]*Used/)
      assert.equal(await player.page.locator('.code').count(), 0, 'a code that was used is not offered again')
    },
  )

  test('a token is issued with a command that works, and a revoked token stops working', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'owner', path: '/developers' })
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByLabel('Name').fill('Shop server')
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
    const shown = page.getByRole('dialog').locator('pre')
    const token = (await shown.first().textContent()) as string
    assert.match(token, /^[\w-]+:[0-9a-f]{64}$/)
    assert.ok(((await shown.nth(1).textContent()) as string).includes(token))
    const grant = () =>
      post(`${suite.server.url}/api/player/increaseSpin`, token, { playerId: 'pia', spinNumber: 1 })
    assert.equal((await grant()).status, 200)
    await page.getByRole('button', { name: 'Done' }).click()
    assert.ok(!(await page.content()).includes(token), 'the token is not shown again')
    await page.getByRole('button', { name: 'Revoke Shop server' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Revoke' })
    assert.ok(await confirm.isDisabled(), 'the name has to be typed first')
    await dialog.getByLabel('Type Shop server to confirm').fill('Shop server')
    await confirm.click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await until(async () => (await grant()).body.code === 'token_revoked')
  })

  test('a viewer sees everything and has no controls to change it', onLanding, async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { merchantId } = testMerchant.merchant
    await post(`${suite.server.url}/api/player/increaseSpin`, testMerchant.token, {
      playerId: 'pia',
      spinNumber: 3,
    })
    const look = { logo: makePng(), picture: makePng(), tickSound: makeWav(), winSound: makeWav() }
    const draft = { ...defaultWheel, look }
    await saveDraft(suite.server.ctx.db, {
      merchantId,
      slug: 'main',
      draft,
      revision: undefined,
      now: new Date(),
    })
    const webhook = { url: 'https://shop.example/hook' }
    await post(`${suite.server.url}/api/v1/webhooks`, testMerchant.token, webhook)
    const { page, pageErrors } = await openConsole(t, suite, {
      testMerchant,
      role: 'viewer',
      path: '/wheels/main',
    })
    await page.getByText('View only').waitFor()
    await page.locator('.segment-name', { hasText: '10 spins' }).click()
    assert.ok(await page.getByLabel('Label').isDisabled())
    await page.getByRole('tab', { name: 'Look' }).click()
    const media = page.getByRole('button', { name: /^(Remove|Change) ?/ })
    await media.nth(7).waitFor()
    for (const button of await media.all()) assert.ok(await button.isDisabled())
    await page.getByRole('tab', { name: 'Simulation' }).click()
    await page.getByRole('cell', { name: '10 spins' }).waitFor()
    const developers = ['webhooks', 'events&event=1', 'examples'].map((tab) => `/developers?tab=${tab}`)
    const views = [
      '/wheels',
      '/players',
      '/players/pia',
      '/prizes',
      '/codes',
      '/messages?tab=log',
      '/developers',
      '/settings',
    ]
    // Events are opened by their types, such as wheel.published.
    const changing =
      /^(?!Show ).*(publish|pause|create token|revoke|invite|remove|give spins|redeem|cancel|upload|new wheel|erase|block|edit|add|send)/i
    for (const view of [...views, ...developers]) {
      await page.goto(`${suite.server.url}/console/m/${testMerchant.merchant.slug}${view}`)
      await settled(page)
      const offered = await page.getByRole('button', { name: changing }).allTextContents()
      assert.deepEqual(offered, [], `${view} offers ${offered.join(', ')}`)
    }
    assert.deepEqual(pageErrors, [])
  })

  test('the second of two editors of a draft sees the conflict and decides', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const first = await openConsole(t, suite, {
      testMerchant,
      role: 'editor',
      path: '/wheels/main?tab=schedule',
    })
    const second = await openConsole(t, suite, {
      testMerchant,
      role: 'editor',
      path: '/wheels/main?tab=schedule',
    })
    const nameIn = (page: typeof first.page) => page.getByLabel('Name', { exact: true })
    await nameIn(second.page).waitFor()
    await nameIn(first.page).fill('The first one')
    await saved(first.page)
    await nameIn(second.page).fill('The second one')
    const dialog = second.page.getByRole('dialog', { name: 'This draft was saved elsewhere' })
    await dialog.getByText(/\S+@\S+ saved it on .*\d\d:\d\d.*, while you were editing\./).waitFor()
    await dialog.getByRole('button', { name: 'Load the saved version' }).click()
    await until(async () => (await nameIn(second.page).inputValue()) === 'The first one')
    await nameIn(second.page).fill('Now it is mine')
    await saved(second.page)
    await nameIn(first.page).fill('But I keep mine')
    await first.page.getByRole('dialog').getByRole('button', { name: 'Keep mine' }).click()
    await saved(first.page)
    const read = await fetch(`${suite.server.url}/api/v1/wheels/main`, {
      headers: { Authorization: testMerchant.token },
    })
    assert.equal(((await read.json()) as { name: string }).name, 'But I keep mine')
  })

  test('a person signed out elsewhere gets the sign-in page, then returns to the same view', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'owner', path: '/players' })
    await page.getByText('No players yet').waitFor()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Prizes' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.ok(page.url().endsWith('/prizes'))
  })
})
