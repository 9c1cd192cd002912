// `npm run bench:smooth -- <game link>`: how evenly the wheel turns on a processor that is four times slower.
import { chromium } from 'playwright-core'
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts'

const slowdown = 4
const frameMs = 1000 / 60

const link = process.argv[2]
if (link === undefined)
  throw new Error('Give the link of a player with spins: npm run bench:smooth -- <link>')

const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
await page.goto(link)
await page.locator('body[data-state="ready"], body[data-state="won"], body[data-state="noLuck"]').waitFor()
const devtools = await page.context().newCDPSession(page)
await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
await devtools.send('Performance.enable')

// Frames are read from the compositor's trace, and the end is told by an observer: to count frames in the page, or to ask
// it in each whether it is done, would itself be work for each frame.
await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline.frame'] })
const busyBefore = await busySeconds()
await page.evaluate(async () => {
  document.getElementById('action')?.click()
  await new Promise((resolve) => new MutationObserver(resolve).observe(document.body, { attributes: true }))
})
const busy = (await busySeconds()) - busyBefore
const trace = JSON.parse((await browser.stopTracing()).toString()) as {
  traceEvents: { name: string; ts: number }[]
}
await browser.close()

const drawnAtMs = trace.traceEvents
  .filter((event) => event.name === 'DrawFrame')
  .map((event) => event.ts / 1000)
  .toSorted((a, b) => a - b)
const gaps = drawnAtMs
  .slice(1)
  .map((at, index) => at - (drawnAtMs[index] as number))
  .toSorted((a, b) => a - b)
const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1000
const gapAt = (share: number): string => (gaps[Math.ceil(share * gaps.length) - 1] as number).toFixed(1)

console.log(`processor slowed      ${slowdown} times`)
console.log(`the wheel turned for  ${seconds.toFixed(2)} s`)
console.log(`frames drawn          ${(gaps.length / seconds).toFixed(1)} a second`)
console.log(
  `between two frames    median ${gapAt(0.5)}, 95 % ${gapAt(0.95)}, 99 % ${gapAt(0.99)}, worst ${gapAt(1)} ms`,
)
console.log(`late frames           ${gaps.filter((gap) => gap > 1.5 * frameMs).length} of ${gaps.length}`)
console.log(`main thread busy      ${((100 * busy) / seconds).toFixed(1)} %`)

async function busySeconds(): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0
}
