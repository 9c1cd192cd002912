/** Preloaded with `--import`: the process reads a clock that is off by CLOCK_SHIFT_MS. Needs no libfaketime. */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [RealDate.now() + shiftMs] : given) as [number]))
  }

  static override now(): number {
    return RealDate.now() + shiftMs
  }
} as DateConstructor
