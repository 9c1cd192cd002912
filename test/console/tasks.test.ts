// Everyday tasks in the console, in a real browser: each view is used once for its purpose.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { TOTP } from 'otpauth'
import { readAuditLog } from '../../src/audit-log/audit-log.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { makeConsoleSuite, makeTestMerchant, openPage, settled, openConsole } from './console-scene.ts'
import { type TestMailbox, linkIn, makeTestMailbox } from '../scenes/test-mailbox.ts'
import { callApi, makeManagementApi } from '../scenes/management-scene.ts'
import { makeReceiver } from '../scenes/receivers.ts'
import { post, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeStaff, password } from '../scenes/staff-scene.ts'

const bash = promisify(execFile)

describe('in the console', () => {
  let box: TestMailbox
  const suite = makeConsoleSuite(async (lifetime) => {
    box = await makeTestMailbox(lifetime)
    return {
      SMTP_URL: box.url,
      MAIL_FROM: 'wheel@house.example',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_RETRY_PAUSES: '1s',
    }
  })

  test(
    'the first steps lead to commands that work when pasted, and to a spin on a phone',
    onLanding,
    async (t) => {
      const { db } = suite.server.ctx
      const merchant = await createMerchant(db, { slug: 'first-steps', name: 'Newcomer', now: new Date() })
      const { page } = await openConsole(t, suite, { testMerchant: { merchant, token: '' }, role: 'owner' })
      await page.getByRole('combobox', { name: 'Currency' }).fill('euro')
      await page.getByRole('option', { name: /^EUR/ }).click()
      await page.getByRole('combobox', { name: 'Time zone' }).fill('lagos')
      await page.getByRole('option', { name: 'Africa/Lagos' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Times without a time zone are in Africa/Lagos.').waitFor()
      await page.getByRole('cell', { name: '€0.00' }).waitFor()
      await page.getByRole('button', { name: 'Give players spins' }).click()
      await page.getByRole('button', { name: 'Create a token now' }).click()
      const line = page.locator('pre', { hasText: 'increaseSpin' })
      const granted = await bash('bash', ['-c', `${await line.textContent()} -sS`])
      assert.deepEqual(JSON.parse(granted.stdout), { playerId: 'alice', spinCount: 5 })
      const ask = page.locator('pre', { hasText: 'game/sso' })
      await ask.waitFor()
      const linked = await bash('bash', ['-c', `${await ask.textContent()} -sS`])
      assert.match((JSON.parse(linked.stdout) as { link: string }).link, /\/spinthewheel\/\?token=/)
      await page.reload()
      await page.getByRole('button', { name: 'Give players spins' }).click()
      await page.locator('pre', { hasText: '<your token>' }).first().waitFor()

      await page.getByRole('button', { name: 'See it on your own phone' }).click()
      await page.getByRole('button', { name: 'Show the QR code' }).click()
      await page.getByRole('img', { name: 'QR code of the game link' }).waitFor()
      const link = await page.getByLabel('Game link', { exact: true }).textContent()
      const phone = await openPage(t, suite, { viewport: { width: 390, height: 844 } })
      await phone.page.goto((link ?? '').replace('http://127.0.0.1:8080', suite.server.url))
      await phone.page.locator('#action').click()
      await phone.page.locator('body:is([data-state="won"], [data-state="noLuck"])').waitFor()
      await page.getByRole('button', { name: /See it on your own phone\s*Done/ }).waitFor()
    },
  )

  test(
    'a webhook is added, tested, changed and rotated; it fails, and then receives the missed events',
    onLanding,
    async (t) => {
      const testMerchant = await makeTestMerchant(suite)
      let isUp = true
      const receiver = await makeReceiver(t, (_, response) => {
        response.writeHead(isUp ? 200 : 500, { 'X-Request-Id': 'till-7' })
        response.end(isUp ? 'ok' : 'the database is down')
      })
      const typesReceived = () =>
        receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
      const { page } = await openConsole(t, suite, {
        testMerchant,
        role: 'editor',
        path: '/developers?tab=webhooks',
      })
      await page.getByRole('button', { name: 'Add webhook' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('URL').fill('http://10.1.2.3/inside')
      await dialog.getByRole('button', { name: 'Add webhook' }).click()
      await dialog.getByText('The URL must lead to a public address.').waitFor()
      const oldUrl = `${receiver.url}-old`
      await dialog.getByLabel('URL').fill(oldUrl)
      await dialog.getByLabel('Description').fill('the till')
      await dialog.getByRole('button', { name: 'Add webhook' }).click()
      await dialog.getByText(/^whsec_/).waitFor()
      await dialog.getByRole('button', { name: 'Done' }).click()

      await page.getByRole('region', { name: oldUrl }).getByRole('button', { name: 'Edit' }).click()
      await dialog.getByLabel('URL').fill(receiver.url)
      await dialog.getByRole('combobox', { name: 'Events' }).fill('spins.gr')
      await page.getByRole('option', { name: 'spins.granted' }).click()
      await page.keyboard.press('Tab')
      await dialog.getByRole('button', { name: 'Save' }).click()
      const card = page.getByRole('region', { name: receiver.url, exact: true })
      await card.getByText('the till · spins.granted').waitFor()
      const choose = async (action: string) => {
        await card.getByRole('button', { name: `More actions for ${receiver.url}` }).click()
        await page.getByRole('menuitem', { name: action }).click()
      }
      await choose('New signing secret…')
      await dialog.getByText(/For 24 hours, events are signed with both/).waitFor()
      await dialog.getByRole('button', { name: 'Make a new secret' }).click()
      await dialog.getByText(/^whsec_/).waitFor()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await card.getByText(/The previous signing secret also signs until/).waitFor()

      await card.getByRole('button', { name: 'Send test event' }).click()
      await page.getByText(/The receiver answered 200/).waitFor()
      assert.deepEqual(typesReceived(), ['webhook.test'])
      await card.getByRole('button', { name: 'Show attempts' }).click()
      await card.getByText('webhook.test').click()
      await card.getByText('till-7').waitFor()

      isUp = false
      await post(`${suite.server.url}/api/player/increaseSpin`, testMerchant.token, {
        playerId: 'pia',
        spinNumber: 1,
      })
      await card.getByText('1 event could not be delivered').waitFor()
      await card.locator('summary', { hasText: '500' }).first().click()
      // Another attempt may come before the opened one.
      await card.getByText('the database is down').filter({ visible: true }).first().waitFor()
      isUp = true
      const before = receiver.received.length
      await card.getByRole('button', { name: 'Send events again…' }).click()
      await dialog.getByText('1 event will be sent again.').waitFor()
      await dialog.getByLabel('From number').fill('999999')
      await dialog.getByText('0 events will be sent again.').waitFor()
      await dialog.getByLabel('From number').fill('1')
      await dialog.getByRole('button', { name: 'Send 1 event again' }).click()
      await card.getByText(/Sent again: 1 event queued at/).waitFor()
      await until(() => typesReceived().slice(before).includes('spins.granted'))
      await card.getByText(/could not be delivered/).waitFor({ state: 'detached' })

      await choose('Pause')
      await card.getByText('Paused').waitFor()
      await choose('Delete webhook')
      await dialog.getByRole('button', { name: 'Delete webhook' }).click()
      await page.getByText('No webhooks yet').waitFor()
    },
  )

  test(
    'events are followed live, filtered, opened with their payload and attempts, and sent again',
    onLanding,
    async (t) => {
      const testMerchant = await makeTestMerchant(suite)
      const { token } = testMerchant
      const receiver = await makeReceiver(t)
      const { url } = suite.server
      await post(`${url}/api/v1/webhooks`, token, { url: receiver.url })
      const { page } = await openConsole(t, suite, {
        testMerchant,
        role: 'editor',
        path: '/developers?tab=events',
      })
      await page.getByRole('main').getByText('Live', { exact: true }).waitFor()
      const grant = (playerId: string) =>
        post(`${url}/api/player/increaseSpin`, token, { playerId, spinNumber: 7 })
      await grant('pia')
      await grant('tom')
      const rows = page.getByRole('row')
      await rows.filter({ hasText: 'tom' }).filter({ hasText: 'spins.granted' }).waitFor()
      await page.getByLabel('Player', { exact: true }).fill('pia')
      await page.getByRole('combobox', { name: 'Types' }).fill('spins')
      await page.getByRole('option', { name: 'spins.granted' }).click()
      await page.keyboard.press('Tab')
      await until(async () => (await rows.filter({ hasText: 'tom' }).count()) === 0)
      await until(async () => (await rows.count()) === 2)
      await grant('pia')
      await until(async () => (await rows.count()) === 3)

      await page
        .getByRole('button', { name: /^Show spins.granted/ })
        .last()
        .click()
      const drawer = page.getByRole('dialog', { name: 'Event' })
      await drawer.getByText('"amount": 7').waitFor()
      await drawer.locator('summary', { hasText: '200' }).waitFor()
      const before = receiver.received.length
      await drawer.getByRole('button', { name: `Send again to ${receiver.url}` }).click()
      await page.getByRole('button', { name: 'Send 1 event again' }).click()
      await until(() => receiver.received.length === before + 1)
      await until(async () => (await drawer.locator('summary', { hasText: '200' }).count()) === 2)
      const link = page.url()
      await drawer.getByRole('link', { name: 'Player pia' }).click()
      await page.getByRole('heading', { name: 'pia' }).waitFor()
      const id = receiver.received[0]?.headers['webhook-id'] as string
      await page.goto(link.replace(/event=\d+/, `event=${id}`))
      await drawer.getByText(`"id": "${id}"`).waitFor()
      await page.keyboard.press('Escape')
      await page.getByLabel('Event ID or number').fill('999999')
      await page.keyboard.press('Enter')
      await drawer.getByText('The log has no event with this id or number').waitFor()
    },
  )

  test(
    'the examples have the address of the server and the id of a token, and no secret',
    onLanding,
    async (t) => {
      const testMerchant = await makeTestMerchant(suite)
      const { page } = await openConsole(t, suite, {
        testMerchant,
        role: 'viewer',
        path: '/developers?tab=examples',
      })
      const [tokenId, secret] = testMerchant.token.split(':') as [string, string]
      await page.getByText(`export WHEELHOUSE_TOKEN='${tokenId}:<secret>'`).waitFor()
      const line = await page.locator('pre', { hasText: 'increaseSpin' }).textContent()
      const granted = await bash('bash', ['-c', `${line} -sS`], {
        env: { PATH: process.env.PATH, WHEELHOUSE_TOKEN: testMerchant.token },
      })
      assert.deepEqual(JSON.parse(granted.stdout), { playerId: 'alice', spinCount: 5 })
      for (const language of ['Node.js', 'Python', 'PHP', 'Java']) {
        await page.getByRole('tab', { name: language }).click()
        await page.locator('pre', { hasText: `${suite.server.url}/api/game/sso` }).waitFor({
          state: language === 'Node.js' ? 'detached' : 'visible',
        })
        assert.equal(await page.getByRole('tabpanel', { name: language }).locator('pre').count(), 3)
      }
      assert.ok(!(await page.content()).includes(secret))
    },
  )

  test('settings are saved and applied, a concurrent change is not overwritten, and the log names the actor', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const first = await openConsole(t, suite, { testMerchant, role: 'owner', path: '/settings' })
    const second = await openConsole(t, suite, { testMerchant, role: 'owner', path: '/settings' })
    const most = (page: typeof first.page) => page.getByLabel('Maximum spins per call')
    await most(second.page).waitFor()
    await most(first.page).fill('7')
    await first.page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
    await first.page.getByRole('option', { name: 'Europe/Berlin' }).click()
    await first.page.getByRole('button', { name: 'Save' }).click()
    await first.page.getByText('Saved.').waitFor()
    const grant = () =>
      post(`${suite.server.url}/api/player/increaseSpin`, testMerchant.token, {
        playerId: 'pia',
        spinNumber: 8,
      })
    await until(async () => (await grant()).status === 422)
    await most(second.page).fill('9')
    await second.page.getByRole('button', { name: 'Save' }).click()
    await second.page.getByText('Someone else changed these settings').waitFor()
    await second.page.getByRole('button', { name: 'Load the saved version' }).click()
    await until(async () => (await most(second.page).inputValue()) === '7')
    await first.page.getByRole('tab', { name: 'Activity' }).click()
    await first.page.getByRole('row', { name: /Settings changed/ }).waitFor()
  })

  test('an editor corrects a balance, revokes a link, and erases a player only after typing the name', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { url } = suite.server
    await post(`${url}/api/player/increaseSpin`, testMerchant.token, { playerId: 'ada', spinNumber: 5 })
    const links = [1, 2].map(() => post(`${url}/api/game/sso`, testMerchant.token, { playerId: 'ada' }))
    const [link] = await Promise.all(links)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'editor', path: '/players/ada' })
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Correct balance')
    await page.getByLabel('Spins to add or remove').fill('-2')
    await page.getByLabel('Reason').fill('counted twice')
    await page.getByRole('dialog').getByRole('button', { name: 'Correct balance' }).click()
    await page.getByRole('row', { name: /counted twice/ }).waitFor()
    await page.getByRole('cell', { name: '−2' }).waitFor()

    await page.getByRole('tab', { name: 'Links' }).click()
    await until(async () => {
      if ((await page.getByRole('button', { name: 'Revoke', exact: true }).count()) === 2) return true
      await page.reload()
      await settled(page)
      return false
    })
    await page.getByRole('button', { name: 'Revoke all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke all' }).click()
    await page.getByText('No active links').waitFor()
    const opened = await post(`${url}/api/v1/game/session`, undefined, { token: link?.body.token })
    assert.equal(opened.body.code, 'game_token_revoked')

    await choose('Erase personal data')
    const erase = page.getByRole('dialog').getByRole('button', { name: 'Erase personal data' })
    await erase.waitFor()
    assert.ok(await erase.isDisabled())
    await page.getByRole('dialog').getByRole('textbox').fill('Ada')
    assert.ok(await erase.isDisabled(), 'the name must match exactly')
    await page.getByRole('dialog').getByRole('textbox').fill('ada')
    await erase.click()
    await page.getByText('Personal data erased.').waitFor()
    const gone = await fetch(`${url}/api/v1/players/ada`, { headers: { Authorization: testMerchant.token } })
    assert.equal(gone.status, 404)
    const filter = { subjectKind: 'player' }
    const { entries: log } = await readAuditLog(suite.server.ctx.db, testMerchant.merchant.merchantId, {
      before: Number.MAX_SAFE_INTEGER,
      limit: 9,
      filter,
    })
    assert.deepEqual(
      log.map(({ action, actorKind }) => [action, actorKind]),
      ['player.erase', 'player.revoke_links', 'player.correct'].map((action) => [action, 'staff']),
    )
  })

  test('a grant retried after a lost response is made once', onLanding, async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'support', path: '/players' })
    await page.getByRole('button', { name: 'Give spins' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Player ID').fill('kim')
    await dialog.getByLabel('Reason').fill('the testMerchant was down')
    await page.route('**/grants', async (route) => {
      assert.equal((await route.fetch()).status(), 200)
      await route.abort()
      await page.unroute('**/grants')
    })
    await dialog.getByRole('button', { name: 'Give spins' }).click()
    await page.getByRole('alert').first().waitFor()
    await dialog.getByRole('button', { name: 'Give spins' }).click()
    await page.getByRole('heading', { name: 'kim' }).waitFor()
    const { body } = await callApi(suite.server, testMerchant.token, 'GET', '/api/v1/players/kim')
    assert.equal(body.spinCount, 5)
  })

  test('a view that fails to load shows an error and loads on the next try', onLanding, async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'viewer' })
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
    await page.route('**/assets/prizes-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Prizes' }).click()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/assets/prizes-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Prizes' }).waitFor()
  })

  test('two-factor authentication is turned on, and required at the next sign-in', onLanding, async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const person = await makeStaff(suite.server.ctx.db, [[testMerchant.merchant, 'viewer']])
    const { page } = await openPage(t, suite)
    const { keyboard } = page
    const signIn = async () => {
      await page.getByLabel('Email').fill(person.email)
      await page.getByRole('textbox', { name: 'Password' }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await page.goto(`${suite.server.url}/console/account`)
    await signIn()
    await page.getByRole('button', { name: 'Turn on' }).click()
    const dialog = page.getByRole('dialog')
    const secret = (await dialog.locator('.mono').textContent()) ?? ''
    const totp = new TOTP({ secret: secret.replaceAll(' ', ''), digits: 6, period: 30 })
    await dialog.getByLabel('Six-digit code 1').click()
    await keyboard.type(totp.generate())
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('Your recovery codes').waitFor()
    await page.context().clearCookies()
    await page.reload()
    await signIn()
    await page.getByLabel('Six-digit code 1').click()
    await keyboard.type('000000')
    await page.getByText(/wrong or was already used/).waitFor()
    await page.getByLabel('Six-digit code 1').click()
    // A code works once, so the next one: a neighbour of the present step is taken too.
    await keyboard.type(totp.generate({ timestamp: Date.now() + 30_000 }))
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
  })

  test('a person with a forgotten password gets a link by mail and signs in again', onLanding, async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const person = await makeStaff(suite.server.ctx.db, [[testMerchant.merchant, 'viewer']])
    const { page } = await openPage(t, suite)
    await page.goto(`${suite.server.url}/console`)
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('Check your inbox').waitFor()
    await until(() => box.mails.some(({ to }) => to.includes(person.email)))
    const mail = box.mails.find(({ to }) => to.includes(person.email))!
    const { pathname, hash } = new URL(linkIn(mail))
    await page.goto(`${suite.server.url}${pathname}${hash}`)
    await page.getByLabel('Choose a password').fill('a wholly new passphrase')
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
  })

  test('a play appears in the live feed through the stream, and a refused request in the request list', async (t) => {
    const api = await makeManagementApi(suite.server)
    const { page } = await openConsole(t, suite, {
      testMerchant: api,
      role: 'owner',
      path: '/overview',
    })
    const feed = page.getByRole('region', { name: 'Plays' })
    await feed.getByText('Live', { exact: true }).waitFor()
    await settled(page)
    // Polling starts two minutes later; before that only the stream can deliver it.
    await api.play('stream-watcher')
    await feed.getByRole('link', { name: 'stream-watcher' }).waitFor()
    await post(`${suite.server.url}/api/player/increaseSpin`, api.token, { playerId: '', spinNumber: 1 })
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('tab', { name: 'Requests' }).click()
    await page.getByRole('radiogroup').getByText('Refused').click()
    const row = page.getByRole('row', { name: /increaseSpin/ })
    await row.getByRole('link', { name: 'validation_failed' }).waitFor()
    await row.getByText('400').waitFor()
  })

  test(
    'the HTML for a shop follows the choices, and the preview shows the game as chosen',
    onLanding,
    async (t) => {
      const testMerchant = await makeTestMerchant(suite)
      const { page, pageErrors } = await openConsole(t, suite, {
        testMerchant,
        role: 'editor',
        path: '/developers?tab=embed',
      })
      await page.getByText('No site may embed the game yet').waitFor()
      await page.getByRole('combobox', { name: 'When' }).click()
      await page.getByRole('option', { name: 'After a click' }).click()
      await page.getByLabel('CSS selector').fill('[data-x="1"], #play')
      const { script, integrity } = (await (await fetch(`${suite.server.url}/embed/v1.json`)).json()) as {
        script: string
        integrity: string
      }
      const snippet = (await page.locator('pre', { hasText: '<wheelhouse-game' }).textContent()) ?? ''
      assert.ok(snippet.includes(`src="${script}"`) && snippet.includes(`integrity="${integrity}"`))
      assert.match(snippet, /mode="dialog"\n  trigger="click \[data-x=&quot;1&quot;\], #play"/)
      await page.getByRole('button', { name: 'Open preview' }).click()
      const shop = page.frameLocator('iframe[title="Preview"]')
      await shop.getByRole('button', { name: 'Play' }).click()
      await shop.frameLocator('dialog iframe').locator('body[data-state="noSpins"]').waitFor()
      assert.deepEqual(pageErrors, [])
    },
  )
})
