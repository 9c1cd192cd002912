import type { Command } from 'commander'
import { forecastDaysMax, forecastPlaysMax } from '../limits.ts'
import { Mistake } from '../mistake.ts'
import { type Forecast, forecastWheel } from '../simulation/forecast-wheel.ts'
import { readPools } from '../stock/code-pools.ts'
import { readStocks } from '../stock/prize-stocks.ts'
import { simulateWheel } from '../wheels/simulate-wheel.ts'
import { checkDraft, findWheel, readGiven } from '../wheels/wheels.ts'
import { parseWholeNumber } from './durations.ts'
import { forMerchant } from './for-merchant.ts'
import { type JsonOption, print, table } from './output.ts'

type Options = JsonOption & { playsPerDay: number; days?: number; spinsPerPlayer: number }

export function addSimulateCommand(wheel: Command): void {
  wheel
    .command('simulate <merchant> <wheel>')
    .description(
      'show what prevents the draft from being published, the chance and cost of each prize, and how long stock lasts',
    )
    .option('--plays-per-day <plays>', 'expected plays per day', parseWholeNumber(1, 1_000_000_000), 1_000)
    .option('--days <days>', 'also simulate every play of so many days', parseWholeNumber(1, forecastDaysMax))
    .option(
      '--spins-per-player <spins>',
      'how often each player plays, with --days',
      parseWholeNumber(1, 1_000),
      1,
    )
    .option('--json', 'print JSON')
    .action(async (merchant: string, slug: string, options: Options) => {
      const { playsPerDay, days = 0 } = options
      if (playsPerDay * days > forecastPlaysMax)
        throw new Mistake(`--days times --plays-per-day must be at most ${forecastPlaysMax}.`)
      const { draft, errors, given, facts, now } = await readDraft(merchant, slug)
      const simulation = simulateWheel(draft, playsPerDay, given)
      const isSimulated = days > 0 && errors.length === 0
      const forecast = isSimulated
        ? forecastWheel({ ...options, wheel: draft, facts, start: now, days })
        : null
      const problems = errors.map(({ pointer, detail }) => `NOT READY: ${pointer} ${detail}`)
      const text = [describeDay(simulation), ...(forecast === null ? [] : [describe(forecast)]), ...problems]
      print({ errors, simulation, forecast }, options, text.join('\n'))
    })
}

async function readDraft(merchant: string, slug: string) {
  return forMerchant(merchant, async (db, merchantId, { now }) => {
    const found = await findWheel(db, merchantId, slug)
    const { given } = await readGiven(db, found, now)
    return {
      draft: found.draft,
      errors: await checkDraft(db, found, now),
      given,
      now,
      facts: { stocks: await readStocks(db, found), pools: await readPools(db, merchantId), given },
    }
  })
}

function describeDay(simulation: ReturnType<typeof simulateWheel>): string {
  const rows = simulation.prizes.map(({ id, chance, winsPerDay, costPerDay, stockLastsDays }) => ({
    prize: id,
    chance: `${(chance * 100).toPrecision(4)} %`,
    winsPerDay: round(winsPerDay),
    costPerDay: round(costPerDay),
    stockLasts: stockLastsDays === null ? null : `${round(stockLastsDays)} days`,
  }))
  const costs = `At ${simulation.playsPerDay} plays a day: ${round(simulation.costPerDay)} a day, ${round(simulation.costPerPlay)} a play.`
  return [table(rows, ''), '', costs].join('\n')
}

function describe({ plays, runs, cost, days, prizes }: Forecast): string {
  const rows = prizes.map(({ id, given, fallbacks, stock }) => ({
    prize: id,
    given: round(given.expected),
    notGiven: round(fallbacks),
    left: stock === null ? null : round(stock.left.expected),
    runsOut: stock?.runsOut.expected ?? null,
  }))
  const costs = `${days.length} days with ${plays} plays, simulated ${runs} times: ${round(cost.expected)} in all, mostly ${round(cost.low)} to ${round(cost.high)}.`
  return ['', costs, '', table(rows, '')].join('\n')
}

function round(value: number): number {
  return Number(value.toPrecision(6))
}
