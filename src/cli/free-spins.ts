import { type Command, InvalidArgumentError } from 'commander'
import { findCampaign } from '../campaigns/campaigns.ts'
import { changeCampaign } from '../campaigns/change-campaigns.ts'
import { freeSpinsAmountMax, freeSpinsBankMax } from '../free-spin-limits.ts'
import { freeSpinDefaults, type FreeSpinRule, ruleOf } from '../free-spin-rule.ts'
import { previewFreeSpins } from '../free-spins/preview.ts'
import { Mistake } from '../mistake.ts'
import { isNamedZone, within } from '../wheels/schedule.ts'
import { momentForm, parseMoment, parseWholeNumber } from './durations.ts'
import { forMerchant } from './for-merchant.ts'
import { type JsonOption, print, table } from './output.ts'

type RuleOptions = JsonOption &
  Partial<Pick<FreeSpinRule, 'every' | 'amount' | 'at' | 'weekday' | 'zone' | 'bank' | 'on'>> & {
    streak?: FreeSpinRule['streaks']
    ends?: Date | 'never'
    none?: boolean
  }

/** Free spins of campaigns: the rule, and what it gives. */
export function addFreeSpins(campaign: Command): void {
  campaign
    .command('free <merchant> <campaign>')
    .description(
      'give free spins that come back, or show the rule; options that are not named stay as they are',
    )
    .option('--every <period>', 'day, week, or a duration such as PT4H')
    .option('--amount <spins>', 'spins in each period', parseWholeNumber(1, freeSpinsAmountMax))
    .option('--at <time>', 'when days and weeks begin, such as 06:00', parseClock)
    .option('--weekday <day>', 'the first day of weeks, 1 for Monday', parseWholeNumber(1, 7))
    .option('--zone <whose>', 'whose days count: wheel or player', parseOneOf('wheel', 'player'))
    .option('--bank <periods>', 'how many periods they are kept', parseWholeNumber(1, freeSpinsBankMax))
    .option('--on <what>', 'what collects them: visit or play', parseOneOf('visit', 'play'))
    .option('--streak <length:spins...>', 'extra spins for periods in a row, such as 7:3', parseStreak)
    .option('--ends <time>', `from when on there are none, ${momentForm}`, parseMoment)
    .option('--none', 'give none from now on')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wheelhouse campaign free acme main --every day --zone player --streak 7:3',
    )
    .action(async (merchant: string, slug: string, { json, none, streak, ends, ...given }: RuleOptions) => {
      const isChange = [none, streak, ends, ...Object.values(given)].some((one) => one !== undefined)
      const changed = await forMerchant(merchant, async (db, merchantId, cause) => {
        const before = await findCampaign(db, merchantId, slug)
        if (!isChange) return before
        const earlier = before.freeSpins === null ? { streaks: [] } : ruleOf(before.freeSpins)
        const rule = { ...freeSpinDefaults, every: 'day', ...earlier, ...given, ...endOf(ends) }
        const freeSpins = none === true ? null : { ...rule, streaks: streak ?? rule.streaks }
        return changeCampaign(db, { merchantId, slug, change: { freeSpins }, revision: undefined }, cause)
      })
      const rule = changed.freeSpins && ruleOf(changed.freeSpins)
      print({ campaign: slug, freeSpins: rule }, json === undefined ? {} : { json }, textOf(slug, rule))
    })

  campaign
    .command('free-preview <merchant> <campaign> [zone]')
    .description('show the free spins that a player in a time zone gets in the next 14 days')
    .option('--json', 'print JSON')
    .action(async (merchant: string, slug: string, zone: string | undefined, options: JsonOption) => {
      const shown = await forMerchant(merchant, async (db, merchantId, cause) => {
        const found = await findCampaign(db, merchantId, slug)
        const timeZone = zone ?? found.schedule.timeZone
        if (!isNamedZone(timeZone)) throw new Mistake(`There is no time zone ${timeZone}.`)
        if (found.freeSpins === null) return []
        const schedule = within(found.schedule, found)
        return previewFreeSpins(found.freeSpins, { schedule, timeZone, now: cause.now, days: 14 })
      })
      print(shown, options, table(shown, `The campaign ${slug} gives no free spins.`))
    })
}

function textOf(slug: string, rule: FreeSpinRule | null): string {
  if (rule === null) return `The campaign ${slug} gives no free spins.`
  return `The campaign ${slug} gives ${rule.amount} free spin(s) every ${rule.every}.`
}

function endOf(ends: Date | 'never' | undefined): Partial<FreeSpinRule> {
  if (ends === undefined) return {}
  return { endsAt: ends === 'never' ? null : ends.toISOString() }
}

function parseClock(text: string): string {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(text))
    throw new InvalidArgumentError('Write a time of day, such as 06:00.')
  return text
}

function parseOneOf<Name extends string>(...names: Name[]) {
  return (text: string): Name => {
    const name = names.find((one) => one === text)
    if (name === undefined) throw new InvalidArgumentError(`Write ${names.join(' or ')}.`)
    return name
  }
}

function parseStreak(text: string, earlier: FreeSpinRule['streaks'] = []): FreeSpinRule['streaks'] {
  const match = /^(\d{1,4}):(\d{1,4})$/.exec(text)
  if (match === null) throw new InvalidArgumentError('Write a length and its extra spins, such as 7:3.')
  return [...earlier, { length: Number(match[1]), spins: Number(match[2]) }]
}
