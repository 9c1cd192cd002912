/** The time left until the wheel opens, by the server's clock. Read by screen readers only on request. */
import { byId } from './dom.ts'
import { formatDuration, t } from './i18n.ts'

/** The player's clock may be off by years. */
let clockAheadMs = 0
let timer: ReturnType<typeof setInterval> | undefined

export function setClock(serverNow: Date): void {
  clockAheadMs = Date.now() - serverNow.getTime()
}

/** Counts down to a moment and then calls `onEnd`. Without a moment, the countdown ends and is hidden. */
export function countDownTo(moment: string | undefined, onEnd: () => void): void {
  clearInterval(timer)
  byId('countdown').hidden = moment === undefined
  if (moment === undefined) return
  const show = () => {
    const leftMs = Date.parse(moment) - (Date.now() - clockAheadMs)
    byId('countdown').textContent = t('closed.in', { time: formatDuration(Math.max(0, leftMs)) })
    if (leftMs > 0) return
    clearInterval(timer)
    // Not all players at once.
    timer = setTimeout(onEnd, 500 + Math.random() * 2_000)
  }
  timer = setInterval(show, 1_000)
  show()
}
