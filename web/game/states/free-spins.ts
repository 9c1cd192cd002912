/** Free spins that come back: when the next ones come, how many, and the streak. Read by screen readers on request. */
import type { Session } from '../api.ts'
import { soonMs, untilMs } from './countdown.ts'
import { byId } from '../page/dom.ts'
import { formatDuration, joined, t } from '../texts/i18n.ts'

let timer: ReturnType<typeof setInterval> | undefined

/** Counts down to the next free spins and then calls `onDue`. Hidden if the campaign has none. */
export function showFreeSpins({ free }: Pick<Session, 'free'>, onDue: () => void): void {
  clearInterval(timer)
  byId('free').hidden = free === undefined || free === null
  if (free === undefined || free === null) return
  byId('free-streak').textContent = streakText(free)
  const { next, nextSpins } = free
  byId('free-next').hidden = next === null
  if (next === null) return
  const show = () => {
    const leftMs = untilMs(next)
    const time = formatDuration(Math.max(0, leftMs))
    byId('free-next').textContent = t('free.in', { count: nextSpins, time })
    if (leftMs > 0) return
    clearInterval(timer)
    timer = setTimeout(onDue, soonMs())
  }
  timer = setInterval(show, 1_000)
  show()
}

/** Such as "3 days in a row · 7 days in a row: 3 extra spins". One day is no row yet. */
function streakText({ every, streak: { length, milestones } }: NonNullable<Session['free']>): string {
  const unit = every === 'day' ? 'free.days' : every === 'week' ? 'free.weeks' : 'free.times'
  const next = milestones.find((one) => one.length > length)
  const inARow = (count: number) => t(unit, { count })
  return joined([
    ...(length > 1 ? [inARow(length)] : []),
    ...(next === undefined ? [] : [t('free.milestone', { streak: inARow(next.length), count: next.spins })]),
  ])
}
