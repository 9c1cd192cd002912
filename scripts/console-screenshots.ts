import type { Browser, BrowserContextOptions } from 'playwright-core'
import { takeWebp } from './webp.ts'

type Shot = BrowserContextOptions & {
  name: string
  path: string
  ready: string
  /** The beginning of the name of a button to press first. */
  press?: string
  /** The heading at the top of the picture. */
  from?: string
}

/** Shown once the charts are loaded, which are in a chunk of their own. */
const chartsToo = 'Expected range'
const wide = { viewport: { width: 1440, height: 900 } }
const tall = { viewport: { width: 1440, height: 1250 } }
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 }
const inBerlin = { timezoneId: 'Europe/Berlin' }
const freeSpins = { path: '/m/test-demo/campaigns/main?tab=free-spins', ready: 'Clocks change' }
const shots: Shot[] = [
  { ...wide, name: 'console-campaigns', path: '/m/demo/campaigns', ready: 'Stock left' },
  { ...tall, name: 'console-campaign', path: '/m/demo/campaigns/main', ready: 'Won a prize' },
  { ...phone, name: 'console-phone-campaign', path: '/m/demo/campaigns/main', ready: 'Won a prize' },
  { ...wide, name: 'console-calendar', path: '/m/demo/campaigns?tab=calendar', ready: 'Advent' },
  { ...tall, name: 'console-overview', path: '/m/demo/overview', ready: chartsToo },
  { ...wide, name: 'console-editor', path: '/m/demo/wheels/main', ready: 'No changes since version' },
  { ...tall, name: 'console-reports', path: '/m/demo/reports', ready: 'Returning players' },
  { ...wide, name: 'console-prizes', path: '/m/demo/prizes', ready: 'Redeem' },
  {
    ...wide,
    name: 'console-events',
    path: '/m/demo/developers?tab=events&types=play.completed,prize.won',
    press: 'Show prize.won',
    ready: 'Deliveries',
  },
  { ...phone, name: 'console-phone', path: '/m/demo/overview', ready: chartsToo, colorScheme: 'dark' },
  { ...phone, name: 'console-phone-prizes', path: '/m/demo/prizes', ready: 'Redeem' },
  { ...wide, name: 'console-test-mode', path: '/m/test-demo/campaigns', ready: 'Test mode' },
  {
    ...wide,
    name: 'console-visitors',
    path: '/m/demo/campaigns/newsletter?tab=visitors',
    ready: 'What visitors see, in English',
    from: 'Form',
  },
  { ...tall, ...inBerlin, ...freeSpins, name: 'console-free-spins', from: 'Free spins' },
  {
    ...phone,
    ...inBerlin,
    ...freeSpins,
    name: 'console-phone-free-spins',
    from: 'What players get',
    colorScheme: 'dark',
  },
]

/** Accepts the first start's invitation in the browser, and takes the screenshots for docs/console.md. */
export async function takeConsoleScreenshots(
  browser: Browser,
  { invitation, folder }: { invitation: string; folder: string },
): Promise<void> {
  const setup = await browser.newContext({ ...wide, locale: 'en-GB' })
  const page = await setup.newPage()
  await page.goto(invitation)
  await page.getByLabel('Email').fill('anna@example.com')
  await page.getByLabel('Your name').fill('Anna Berg')
  await page.getByLabel('Choose a password').fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Hide first steps' }).click()
  const storageState = await setup.storageState()
  await setup.close()
  for (const { name, path, ready, press, from, ...options } of shots) {
    const context = await browser.newContext({
      ...options,
      storageState,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    const view = await context.newPage()
    await view.goto(new URL(`/console${path}`, invitation).href)
    if (press !== undefined) await view.getByRole('button', { name: press }).first().click()
    await view.getByText(ready).first().waitFor()
    if (ready === chartsToo || name === 'console-reports')
      await view.locator('.recharts-surface path').first().waitFor()
    if (from !== undefined)
      await view.getByRole('heading', { name: from }).evaluate((heading) => heading.scrollIntoView())
    await view.waitForTimeout(1_500) // Until the charts have their final size.
    await takeWebp(view, `${folder}/${name}.webp`)
    await context.close()
  }
}
