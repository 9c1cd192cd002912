/** When the wheel opens and closes, by the server's clock. The countdown is read by screen readers only on request. */
import { byId } from '../page/dom.ts'
import { formatDuration, t } from '../texts/i18n.ts'

/** The player's clock may be off by years. */
let clockAheadMs = 0
let timer: ReturnType<typeof setInterval> | undefined

export function setClock(serverNow: Date): void {
  clockAheadMs = Date.now() - serverNow.getTime()
}

export function serverNowMs(): number {
  return Date.now() - clockAheadMs
}

export function isPast(moment: string | null): boolean {
  return moment !== null && untilMs(moment) <= 0
}

/** How long it is until a moment. */
export function untilMs(moment: string): number {
  return Date.parse(moment) - serverNowMs()
}

/** The moment in so many milliseconds. */
export function momentIn(ms: number): string {
  return new Date(serverNowMs() + ms).toISOString()
}

/** A time at which not all players ask at once. */
export function soonMs(): number {
  return 500 + Math.random() * 2_000
}

const lookEveryMs = 30_000
let closing: ReturnType<typeof setTimeout> | undefined

/** Calls `onClosing` at that moment. Looks at the clock in between, since timers stop while a computer sleeps. */
export function watchClosing(moment: string | null, onClosing: () => void): void {
  clearTimeout(closing)
  if (moment === null) return
  const look = () => {
    if (isPast(moment)) onClosing()
    else closing = setTimeout(look, Math.min(untilMs(moment), lookEveryMs))
  }
  closing = setTimeout(look)
}

/** Counts down to a moment and then calls `onEnd`. Without a moment, the countdown ends and is hidden. */
export function countDownTo(
  moment: string | undefined,
  onEnd: () => void,
  say = (time: string) => t('closed.in', { time }),
): void {
  clearInterval(timer)
  byId('countdown').hidden = moment === undefined
  if (moment === undefined) return
  const show = () => {
    const leftMs = untilMs(moment)
    byId('countdown').textContent = say(formatDuration(Math.max(0, leftMs)))
    if (leftMs > 0) return
    clearInterval(timer)
    timer = setTimeout(onEnd, soonMs())
  }
  timer = setInterval(show, 1_000)
  show()
}
