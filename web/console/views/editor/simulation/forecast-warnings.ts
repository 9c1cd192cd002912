/** What the merchant should know about a forecast before anything else: prizes that nobody gets. */
import type { ForecastAnswer } from '../../../../../src/http/answers/wheels.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { formatMoney, formatNumber, t } from '../../../texts.ts'

type Prize = ForecastAnswer['prizes'][number]

/** Up to this share of a paced prize may be left over by chance. */
const leftShareMax = 0.1

export function forecastWarnings(forecast: ForecastAnswer, wheel: WheelDocument): string[] {
  return forecast.prizes.flatMap((prize) => warningOf(prize, forecast, wheel) ?? [])
}

function warningOf(prize: Prize, forecast: ForecastAnswer, wheel: WheelDocument): string | undefined {
  const { label, given, fallbacks, reasons, stock } = prize
  const segment = wheel.segments.find(({ id }) => id === prize.id)
  const cost = formatMoney(segment?.cost ?? 0)
  const isBudget = reasons[0]?.reason === 'budget'
  if (Math.round(given.expected) === 0 && fallbacks >= 1)
    return isBudget ? t('simulation.neverPaid', { label, cost }) : t('simulation.neverGiven', { label })
  const left = formatNumber(Math.round(stock?.left.expected ?? 0))
  const units = formatNumber(segment?.pace?.units ?? 0)
  if (!isLeftOver(prize, forecast, wheel)) return undefined
  return t(isBudget ? 'simulation.leftUnpaid' : 'simulation.tooRare', { label, left, units, cost })
}

/** Whether many units of a paced prize are left at its end. */
function isLeftOver({ id, stock }: Prize, { days }: ForecastAnswer, wheel: WheelDocument): boolean {
  const pace = wheel.segments.find((segment) => segment.id === id)?.pace
  const end = pace?.periods
    .map(({ until }) => until.slice(0, 10))
    .toSorted()
    .at(-1)
  const lastDay = days.at(-1)?.day
  if (pace === undefined || end === undefined || lastDay === undefined || end > lastDay) return false
  return (stock?.left.expected ?? 0) > leftShareMax * pace.units
}
