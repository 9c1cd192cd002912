// `npm run bench:smooth -- <game link> [rounds]`: measures how smoothly the wheel turns with the processor slowed down
// four times. For comparison, it also measures a small rotating square on an empty page. Frames that both lose are due
// to the machine; frames that only the wheel loses are due to our page.
import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts'

const slowdown = 4
const framesPerSecond = 60
const squareTurnsMs = 5_000

type Turn = {
  framesPerSecond: number
  worstGapMs: number
  lostFrames: number
  rasterings: number
  busyShare: number
}
type TraceEvent = { name: string; ts: number; args?: { hasPartialUpdate?: boolean } }

const [link, rounds = '8'] = process.argv.slice(2)
if (link === undefined)
  throw new Error('Pass the link of a player with spins: npm run bench:smooth -- <link> [rounds]')

const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
const wheel: Turn[] = []
const square: Turn[] = []
// Alternating, so that other load on the machine affects both.
for (let round = 0; round < Number(rounds); round++) {
  wheel.push(await measure(browser, openWheel, turnWheel))
  square.push(await measure(browser, openSquare, turnSquare))
}
await browser.close()

console.log(`processor slowed down ${slowdown} times, ${rounds} rounds: median (lowest to highest)\n`)
print('the wheel', wheel)
print('a square', square)
const ratios = wheel.map((turn, round) => turn.framesPerSecond / (square[round] as Turn).framesPerSecond)
console.log(`wheel / square, frames per second ${spread(ratios, 3)}`)

async function openWheel(page: Page): Promise<void> {
  await page.goto(link as string)
  await page.locator('body:is([data-state="ready"], [data-state="won"], [data-state="noLuck"])').waitFor()
}

/** An observer reports the end, since checking in every frame would itself be work in every frame. */
function turnWheel(page: Page): Promise<void> {
  return page.evaluate(async () => {
    performance.mark('turn begins')
    document.getElementById('action')?.click()
    await new Promise((resolve) => new MutationObserver(resolve).observe(document.body, { attributes: true }))
    performance.mark('turn ends')
  })
}

async function openSquare(page: Page): Promise<void> {
  await page.setContent(
    '<!doctype html><div style="width: 40px; height: 40px; background: red; will-change: transform">',
  )
}

function turnSquare(page: Page): Promise<void> {
  return page.evaluate(async (duration) => {
    performance.mark('turn begins')
    const turning = document.querySelector('div')?.animate({ rotate: ['0deg', '2000deg'] }, duration)
    await turning?.finished
    performance.mark('turn ends')
  }, squareTurnsMs)
}

/** The compositor turns the wheel, so frames are read from the compositor's trace, not counted in the page. */
async function measure(
  opened: Browser,
  open: (page: Page) => Promise<void>,
  turn: (page: Page) => Promise<void>,
): Promise<Turn> {
  const page = await opened.newPage({ viewport: { width: 390, height: 844 } })
  await open(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await devtools.send('Performance.enable')
  const busySeconds = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0
  }
  await opened.startTracing(page, {
    categories: ['disabled-by-default-devtools.timeline.frame', 'blink.user_timing', 'cc'],
  })
  const busyBefore = await busySeconds()
  await turn(page)
  const busy = (await busySeconds()) - busyBefore
  const { traceEvents } = JSON.parse((await opened.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  await page.close()
  return { ...readTurn(traceEvents), busyShare: busy / secondsOf(traceEvents) }
}

function readTurn(events: TraceEvent[]): Omit<Turn, 'busyShare'> {
  const [begin, end] = [timeOf(events, 'turn begins'), timeOf(events, 'turn ends')]
  const during = (name: string) =>
    events.filter((event) => event.name === name && event.ts >= begin && event.ts <= end)
  const drawnAt = during('DrawFrame')
    .map((event) => event.ts / 1000)
    .toSorted((a, b) => a - b)
  const gaps = drawnAt.slice(1).map((at, index) => at - (drawnAt[index] as number))
  return {
    framesPerSecond: gaps.length / (gaps.reduce((sum, gap) => sum + gap, 0) / 1000),
    worstGapMs: Math.max(...gaps),
    // A partial frame was drawn and includes the rotation; only the main thread's part came later.
    lostFrames: during('DroppedFrame').filter((event) => event.args?.hasPartialUpdate !== true).length,
    rasterings: during('RasterTask').length,
  }
}

function timeOf(events: TraceEvent[], mark: string): number {
  const found = events.find((event) => event.name === mark)
  if (found === undefined) throw new Error(`the trace has no mark “${mark}”`)
  return found.ts
}

function secondsOf(events: TraceEvent[]): number {
  return (timeOf(events, 'turn ends') - timeOf(events, 'turn begins')) / 1_000_000
}

function print(name: string, turns: Turn[]): void {
  const of = (key: keyof Turn): number[] => turns.map((turn) => turn[key])
  console.log(`${name}
  frames per second, of ${framesPerSecond}          ${spread(of('framesPerSecond'), 1)}
  frames dropped per turn           ${spread(of('lostFrames'), 0)}
  longest gap between frames, ms    ${spread(of('worstGapMs'), 0)}
  tiles repainted per turn          ${spread(of('rasterings'), 0)}
  main thread busy                  ${spread(
    of('busyShare').map((share) => share * 100),
    1,
  )} %
`)
}

function spread(values: number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): string =>
    (sorted[Math.round(share * (sorted.length - 1))] as number).toFixed(digits)
  return `${at(0.5)} (${at(0)} to ${at(1)})`
}
