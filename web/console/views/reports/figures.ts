import { formatMoney, formatNumber, formatShare, t } from '../../texts.ts'

/** The figures that the page shows. */
export const figures = ['visits', 'plays', 'wins', 'fallbacks', 'cost', 'redeemed'] as const
export type Figure = (typeof figures)[number]

/** Redemptions that were taken back don't count as redeemed, as in the funnel and in the list of prizes. */
export function figureOf(counted: Record<Figure | 'reversed', number>, figure: Figure): number {
  return figure === 'redeemed' ? counted.redeemed - counted.reversed : counted[figure]
}

/** Such as "+12 %", or a dash if there is nothing to compare with. */
export function formatChange(now: number, before: number | null | undefined): string {
  if (before === null || before === undefined || before === 0) return '–'
  const change = (now - before) / before
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
  return `${sign}${formatShare(Math.abs(change))}`
}

export function formatFigure(figure: Figure, value: number): string {
  return figure === 'cost' ? formatMoney(value) : formatNumber(value)
}

/** Such as "1 Oct – 30 Oct", with the year. */
export function formatPeriod({ from, to }: { from: string; to: string }): string {
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
  return t('reports.fromTo', { from: day.format(new Date(from)), to: day.format(new Date(to)) })
}
