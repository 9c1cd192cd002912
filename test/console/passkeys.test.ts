import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { recentSignInSeconds } from '../../src/limits.ts'
import {
  makeConsoleSuite,
  makeTestMerchant,
  openPage,
  overflow,
  settled,
  openConsole,
} from './console-scene.ts'
import { violations } from '../scenes/game-scene.ts'
import { freePort, type Lifetime, makeServer, type Server } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeStaff, password } from '../scenes/staff-scene.ts'

describe('passkeys in the console', onLanding, () => {
  const suite = makeConsoleSuite()

  /** The console at `localhost`, the only name for which browsers allow passkeys without https. */
  async function makeLocalhost(t: Lifetime, now = () => new Date()): Promise<Server & { origin: string }> {
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const { target, ctx } = suite.server
    const database = { target, db: ctx.db }
    const server = await makeServer(t, { env: { PUBLIC_URL: origin }, port, database, now })
    return { ...server, origin }
  }

  async function addAuthenticator(page: Page): Promise<{ devTools: CDPSession; authenticatorId: string }> {
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('WebAuthn.enable')
    const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return { devTools, authenticatorId }
  }

  const signIn = async (page: Page, email: string) => {
    await page.getByLabel('Email').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  const leave = async (page: Page) => {
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }
  const isIn = (page: Page) => page.getByRole('heading', { name: 'Your account' }).waitFor()

  async function addPasskey(page: Page, name: string): Promise<string> {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Passkey name').fill(name)
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    const codes = (await dialog.locator('pre').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'I have saved them' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(name, { exact: true }).waitFor()
    return codes
  }

  test('a passkey is added, signs in alone and after the password, and is renamed and removed; a recovery code signs in too', async (t) => {
    const server = await makeLocalhost(t)
    const person = await makeStaff(server.ctx.db, [])
    const { page, pageErrors } = await openPage(t, suite)
    await addAuthenticator(page)
    await page.goto(`${server.origin}/console/account`)
    await signIn(page, person.email)
    const codes = (await addPasskey(page, 'My laptop')).split('\n')
    await page.getByText('10 codes left.').waitFor()
    await settled(page)
    assert.deepEqual(await violations(page), [])
    await page.setViewportSize({ width: 360, height: 740 })
    assert.ok((await overflow(page)) <= 0)

    await leave(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await isIn(page)
    await page.getByText(/last used/).waitFor()

    await leave(page)
    await signIn(page, person.email)
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    assert.deepEqual(await violations(page), [])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await isIn(page)

    await leave(page)
    await signIn(page, person.email)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill('abcd-abcd-abcd-abcd')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This code or passkey wasn’t accepted').waitFor()
    await page.getByLabel('Recovery code').fill(codes[0] as string)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await isIn(page)
    await page.getByText('9 codes left.').waitFor()

    await page.getByRole('button', { name: 'Rename My laptop' }).click()
    await page.getByLabel('Passkey name').fill('Old laptop')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByRole('button', { name: 'Remove Old laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Passkey removed.').waitFor()
    await page.getByText('codes left').waitFor({ state: 'detached' })
    const unexpected = pageErrors.filter((one) => !/status of 401/.test(one))
    assert.deepEqual(unexpected, [])
  })

  test('after the password, a passkey that fails at first works on the next press', onLanding, async (t) => {
    const server = await makeLocalhost(t)
    const person = await makeStaff(server.ctx.db, [])
    const { page } = await openPage(t, suite)
    const { devTools, authenticatorId } = await addAuthenticator(page)
    await page.goto(`${server.origin}/console/account`)
    await signIn(page, person.email)
    await addPasskey(page, 'My key')
    await leave(page)
    await signIn(page, person.email)
    const press = page.getByRole('button', { name: 'Use a passkey' })
    const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials as [(typeof credentials)[0]]
    // The sign count of a copy that was used less often.
    const behind = { authenticatorId, credential: { ...credential, signCount: 0 } }
    await devTools.send('WebAuthn.clearCredentials', { authenticatorId })
    await devTools.send('WebAuthn.addCredential', behind)
    await press.click()
    await page.getByText('This code or passkey wasn’t accepted').waitFor()
    await devTools.send('WebAuthn.clearCredentials', { authenticatorId })
    await devTools.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential, signCount: 50 },
    })
    await press.click()
    await isIn(page)
  })

  test('a while after the sign-in, the password is asked for again', onLanding, async (t) => {
    let clock = new Date()
    const server = await makeLocalhost(t, () => clock)
    const person = await makeStaff(server.ctx.db, [])
    const { page } = await openPage(t, suite)
    await addAuthenticator(page)
    await page.goto(`${server.origin}/console/account`)
    await signIn(page, person.email)
    await isIn(page)
    clock = new Date(clock.getTime() + (recentSignInSeconds + 1) * 1000)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByText('It’s been a while since you signed in.').waitFor()
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(password)
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByText('Your recovery codes').waitFor()
  })

  test('at an IP address the account page explains in one sentence why there are no passkeys', async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'viewer' })
    await page.goto(`${suite.server.url}/console/account`)
    await page.getByText('they need a domain name, and this server’s public URL is an IP address').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
    await page.context().clearCookies()
    await page.reload()
    await page.getByText('Forgot your password?').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
  })

  test('a weak password is refused beside its field, with advice', onLanding, async (t) => {
    const testMerchant = await makeTestMerchant(suite)
    const { page } = await openConsole(t, suite, { testMerchant, role: 'viewer' })
    await page.goto(`${suite.server.url}/console/account`)
    await page.getByRole('textbox', { name: 'Current password' }).fill(password)
    await page.getByRole('textbox', { name: 'New password' }).fill('password1234')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('is one of the most common ones').waitFor()
    assert.deepEqual(await violations(page), [])
  })
})
