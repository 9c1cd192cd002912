import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { takeWebp } from './webp.ts'

type Shot = BrowserContextOptions & {
  name: string
  path: string
  ready: string
  /** The beginning of the name of a button to press first. */
  press?: string
  /** What a person does before the picture is taken. */
  act?: (page: Page) => Promise<unknown>
  /** The heading at the top of the picture. */
  from?: string
}

/** Shown once the charts are loaded, which are in a chunk of their own. */
const chartsToo = 'Expected range'
const wide = { viewport: { width: 1440, height: 900 } }
const tall = { viewport: { width: 1440, height: 1250 } }
const laptop = { viewport: { width: 1360, height: 900 } }
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

/** What a person does, on a laptop and on a phone. The last one leaves a draft. */
const tasks: Shot[] = [
  {
    name: 'till',
    path: '/m/demo/prizes',
    act: async (page) => {
      const number = page.getByText(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/).filter({ visible: true })
      const scanned = await number.first().innerText()
      await page.goto(page.url().replace(/prizes.*/, 'till'))
      await page.getByLabel('Redeem by code or number').fill(scanned)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Redeem' }).waitFor()
    },
    ready: 'Redeem a prize',
  },
  {
    name: 'import',
    path: '/m/demo/import',
    act: async (page) => {
      const lines = ['Valid until;Customer;Spins', '31.12.2031;jo;2', '31.12.2031;kim;3', '31.12.2031;jo;1']
      await chooseFile(page, 'customers.csv', lines.join('\n'))
      await page.getByLabel('Column 2').selectOption('Player ID')
      await page.getByLabel('Column 3').selectOption('Spins')
      await page.getByLabel('Column 1').selectOption('Spins expire')
    },
    ready: 'is read as',
  },
  {
    name: 'links',
    path: '/m/demo/link-lists',
    act: async (page) => {
      await chooseFile(page, 'newsletter.csv', 'email,customer\nann@shop.example,ann\nben@shop.example,ben\n')
      await page.getByRole('combobox', { name: 'Campaign' }).click()
      await page.getByRole('option').filter({ visible: true }).first().click()
      await page.getByRole('button', { name: 'Make 2 links' }).click()
    },
    ready: 'Download',
  },
  { name: 'versions', path: '/m/demo/wheels/main?tab=versions', ready: 'What changed' },
  { name: 'messages', path: '/m/demo/campaigns/main?tab=messages', ready: 'Prize won', from: 'Texts' },
  { name: 'alerts', path: '/m/demo/settings?tab=alerts', ready: 'Prizes that run low' },
  {
    name: 'publish',
    path: '/m/demo/wheels/main',
    act: async (page) => {
      await page.getByText(/^(Ready to publish|No changes since version)/).waitFor()
      await page.locator('.segment-name').first().click()
      await page.getByLabel('Weight').fill('1200')
      await page.getByText('Ready to publish').waitFor()
      await page.getByRole('button', { name: 'Publish…' }).click()
    },
    ready: 'times as often',
  },
]
const taskShots = tasks.flatMap((task): Shot[] => [
  { ...laptop, ...task, name: `console-${task.name}` },
  { ...phone, ...task, name: `console-phone-${task.name}` },
])

async function chooseFile(page: Page, name: string, text: string): Promise<void> {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').setInputFiles(file)
}

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
  for (const { name, path, ready, press, act, from, ...options } of [...shots, ...taskShots]) {
    const context = await browser.newContext({
      ...options,
      storageState,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    const view = await context.newPage()
    await view.goto(new URL(`/console${path}`, invitation).href)
    if (press !== undefined) await view.getByRole('button', { name: press }).first().click()
    await act?.(view)
    await view.getByText(ready).filter({ visible: true }).first().waitFor()
    if (ready === chartsToo || name === 'console-reports')
      await view.locator('.recharts-surface path').first().waitFor()
    if (from !== undefined)
      await view.getByRole('heading', { name: from }).evaluate((heading) => heading.scrollIntoView())
    await view.waitForTimeout(1_500) // Until the charts have their final size.
    await takeWebp(view, `${folder}/${name}.webp`)
    await context.close()
  }
}
