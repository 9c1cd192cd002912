import { readFileSync, watchFile } from 'node:fs'

/**
 * Preloaded with `--import`: the process reads a clock that is off by CLOCK_SHIFT_MS, or by the milliseconds in the
 * file CLOCK_SHIFT_FILE, which may change. Needs no libfaketime.
 */
const { CLOCK_SHIFT_MS = '0', CLOCK_SHIFT_FILE: file } = process.env
let shiftMs = Number(CLOCK_SHIFT_MS)
const RealDate = Date

if (file !== undefined) {
  const read = () => (shiftMs = Number(readFileSync(file, 'utf8')))
  read()
  watchFile(file, { interval: 50, persistent: false }, read)
}

globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [RealDate.now() + shiftMs] : given) as [number]))
  }

  static override now(): number {
    return RealDate.now() + shiftMs
  }
} as DateConstructor
