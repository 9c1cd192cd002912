// A browser page in any engine. Each engine has a driver of four calls; everything else is built on them here.
import { untilTrue } from './waiting.ts'

/** Input as both WebDriver protocols describe it. */
type Action = {
  type: 'key' | 'pointer'
  id: string
  parameters?: { pointerType: 'mouse' | 'touch' }
  actions: Step[]
}
export type Step = {
  type: 'keyDown' | 'keyUp' | 'pointerMove' | 'pointerDown' | 'pointerUp' | 'pause'
  value?: string
  x?: number
  y?: number
  button?: number
  duration?: number
}
export type Size = { width: number; height: number }
type Point = { x: number; y: number }

export type Driver = {
  navigate: (url: string) => Promise<void>
  /** Calls an async function, given as source, that takes and returns JSON. */
  call: (source: string, json: string) => Promise<string>
  perform: (actions: Action[]) => Promise<void>
  /** The size of the page itself, without the window around it. */
  resize: (size: Size) => Promise<void>
}

export class EnginePage {
  readonly #driver: Driver
  constructor(driver: Driver) {
    this.#driver = driver
  }

  async open(url: string, size: Size = { width: 480, height: 800 }): Promise<void> {
    await this.#driver.resize(size)
    await this.#driver.navigate(url)
  }

  resize(size: Size): Promise<void> {
    return this.#driver.resize(size)
  }

  /** Runs a function in the page. Arguments and result are JSON. */
  async evaluate<A extends unknown[], R>(work: (...given: A) => R | Promise<R>, ...given: A): Promise<R> {
    const source = `async (json) => JSON.stringify((await (${String(work)})(...JSON.parse(json))) ?? null)`
    return JSON.parse(await this.#driver.call(source, JSON.stringify(given))) as R
  }

  /** Waits until the page is in one of these states, and returns it. */
  async untilState(...states: string[]): Promise<string> {
    return untilTrue(
      async () => {
        const state = await this.evaluate(() => document.body?.dataset.state ?? '')
        return states.includes(state) ? state : false
      },
      async () => `one of ${states.join(', ')}, but it is: ${await this.text('body')}`,
    )
  }

  async untilText(selector: string, expected: RegExp): Promise<void> {
    await untilTrue(
      async () => expected.test(await this.text(selector)),
      async () => `${expected}, but ${selector} says: ${await this.text(selector)}`,
    )
  }

  text(selector: string): Promise<string> {
    return this.evaluate((css) => document.querySelector<HTMLElement>(css)?.innerText ?? '', selector)
  }

  /** A press with the mouse on the middle of an element, once it stands still and nothing covers it. */
  async click(selector: string): Promise<void> {
    const point = await untilTrue(
      () => this.evaluate(findUncovered, selector),
      async () => `${selector} to stand still and uncovered, on: ${await this.text('body')}`,
    )
    await this.drag([point], 'mouse')
  }

  /** Presses at the first point, moves over the others, and lets go. */
  async drag(points: Point[], pointerType: 'mouse' | 'touch'): Promise<void> {
    const moves = points.map((point, index): Step => ({
      type: 'pointerMove',
      ...point,
      duration: index === 0 ? 0 : 20,
    }))
    const actions: Step[] = [
      moves[0] as Step,
      { type: 'pointerDown', button: 0 },
      ...moves.slice(1),
      { type: 'pointerUp', button: 0 },
    ]
    await this.#driver.perform([{ type: 'pointer', id: pointerType, parameters: { pointerType }, actions }])
  }

  /** Presses keys together, such as Shift and Tab. */
  async press(...keys: (keyof typeof keyCodes)[]): Promise<void> {
    const values = keys.map((key) => keyCodes[key])
    const actions = [
      ...values.map((value): Step => ({ type: 'keyDown', value })),
      ...values.toReversed().map((value): Step => ({ type: 'keyUp', value })),
    ]
    await this.#driver.perform([{ type: 'key', id: 'keyboard', actions }])
  }
}

/** Keys without a character, by the WebDriver specification. */
const keyCodes = { Tab: '\uE004', Enter: '\uE007', Shift: '\uE008', Escape: '\uE00C', Space: ' ' }

/** Runs in the page. */
async function findUncovered(selector: string): Promise<Point | false> {
  const element = document.querySelector(selector)
  if (!element) return false
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  const before = element.getBoundingClientRect()
  await new Promise((done) => setTimeout(done, 50))
  const { x, y, width, height } = element.getBoundingClientRect()
  if (x !== before.x || y !== before.y) return false
  const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
  return element.contains(document.elementFromPoint(middle.x, middle.y)) ? middle : false
}
