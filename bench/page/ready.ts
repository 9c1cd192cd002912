// `npm run bench:ready -- <game link> [rounds]`: measures the bytes and the time until a player can press, on networks
// from loopback to slow 3G.
import { type Browser, chromium } from 'playwright-core'
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts'

/** The profiles of WebPageTest, by round trip and download. */
const networks = {
  loopback: null,
  '4G (170 ms, 9 Mbit/s)': { latency: 170, kilobits: 9_000 },
  '3G (300 ms, 1.6 Mbit/s)': { latency: 300, kilobits: 1_600 },
  'slow 3G (400 ms, 400 kbit/s)': { latency: 400, kilobits: 400 },
}

const [link, rounds = '5'] = process.argv.slice(2)
if (link === undefined) throw new Error("Pass a player's link: npm run bench:ready -- <link> [rounds]")

const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
for (const [name, network] of Object.entries(networks)) {
  const opened: Opened[] = []
  for (let round = 0; round < Number(rounds); round++) opened.push(await open(browser, network))
  const middle = opened.toSorted((one, other) => one.readyMs - other.readyMs)[Math.floor(opened.length / 2)]
  const { readyMs = 0, paintMs = 0, bytes = 0 } = middle ?? {}
  console.log(
    `${name.padEnd(30)} first paint ${paintMs.toFixed(0)} ms, ready ${readyMs.toFixed(0)} ms, ${(bytes / 1000).toFixed(1)} kB`,
  )
}
await browser.close()

type Opened = { readyMs: number; paintMs: number; bytes: number }

/** With an empty cache. The bytes are those of all responses until the page is ready, with their headers. */
async function open(opener: Browser, network: { latency: number; kilobits: number } | null): Promise<Opened> {
  const page = await opener.newPage({ viewport: { width: 390, height: 844 } })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  if (network !== null) {
    const downloadThroughput = (network.kilobits * 1000) / 8
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latency,
      downloadThroughput,
      uploadThroughput: downloadThroughput,
    })
  }
  await page.addInitScript(() => {
    const look = () => {
      const isReady = ['ready', 'won', 'noLuck'].includes(document.body?.dataset.state ?? '')
      if (isReady) performance.mark('ready')
      else requestAnimationFrame(look)
    }
    look()
  })
  await page.goto(link as string)
  await page.waitForFunction(() => performance.getEntriesByName('ready').length > 0)
  const [readyMs, paintMs] = await page.evaluate(() =>
    ['ready', 'first-contentful-paint'].map((name) => performance.getEntriesByName(name)[0]?.startTime ?? 0),
  )
  await page.context().close()
  return { readyMs: readyMs ?? 0, paintMs: paintMs ?? 0, bytes }
}
