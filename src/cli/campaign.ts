import type { Command } from 'commander'
import { type Campaign, openingOf } from '../campaigns/campaign.ts'
import { listCampaigns } from '../campaigns/campaigns.ts'
import {
  archiveCampaign,
  changeCampaign,
  createCampaign,
  duplicateCampaign,
} from '../campaigns/change-campaigns.ts'
import { Mistake } from '../mistake.ts'
import { isSlug } from '../slug.ts'
import { momentForm, parseMoment, parseName, parseSpinLifetime, parseWholeNumber } from './durations.ts'
import { forMerchant } from './for-merchant.ts'
import { addFreeSpins } from './free-spins.ts'
import { type JsonOption, print, table } from './output.ts'
import { addCampaignSchedule, scheduledText } from './schedule.ts'

type DateOptions = {
  opens?: Date | 'never'
  closes?: Date | 'never'
  priority?: number
  spinLifetime?: number | 'none'
}

/** The campaigns of a merchant. */
export function addCampaignCommands(program: Command): void {
  const campaign = program
    .command('campaign')
    .description('several wheels at once, each with its own dates and spins')

  campaign
    .command('list <merchant>')
    .description("list a merchant's campaigns; every merchant has main")
    .option('--archived', 'the archived ones instead')
    .option('--json', 'print JSON')
    .action(async (merchant: string, options: JsonOption & { archived?: boolean }) => {
      const page = { after: '', limit: listedMax, isArchived: options.archived ?? false }
      const shown = await forMerchant(merchant, async (db, merchantId, { now }) =>
        (await listCampaigns(db, merchantId, page)).map((one) => summaryOf(one, now)),
      )
      print(shown, options, table(shown, 'There are no archived campaigns.'))
    })

  withDates(campaign.command('create <merchant> <campaign>'))
    .description('create a campaign with spins of its own')
    .requiredOption('--wheel <wheel>', 'the id of its wheel')
    .option('--name <name>', 'what players call it (default: its id)')
    .option('--purse <campaign>', 'share the spins of this campaign, such as main; it can never be changed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wheelhouse campaign create acme summer --wheel summer --closes 2026-09-01T00:00:00+02:00\n' +
        '  wheelhouse token issue acme --name "summer shop" --campaign summer',
    )
    .action(async (merchant: string, slug: string, options: CreateOptions) => {
      const { wheel, purse, name = slug } = options
      const settings = { name: parseName(name), wheel, texts: {}, ...settingsIn(options) }
      const none = { priority: 0, opensAt: null, closesAt: null, spinLifetimeDays: null, freeSpins: null }
      const order = { ...none, ...settings, slug: idOf(slug), purse }
      const created = await forMerchant(merchant, async (db, merchantId, cause) =>
        summaryOf(await createCampaign(db, { merchantId, ...order }, cause), cause.now),
      )
      print(created, options, `Created the campaign ${slug}.`)
    })

  withDates(campaign.command('set <merchant> <campaign>'))
    .description('change a campaign; settings that are not named stay as they are')
    .option('--wheel <wheel>', 'the id of its wheel')
    .option('--name <name>', 'what players call it')
    .option('--pause', 'let nobody play it')
    .option('--resume', 'end the pause')
    .option('--json', 'print JSON')
    .action(async (merchant: string, slug: string, options: SetOptions) => {
      const { wheel, name, pause, resume } = options
      const change = {
        ...settingsIn(options),
        ...(wheel === undefined ? {} : { wheel }),
        ...(name === undefined ? {} : { name: parseName(name) }),
        ...(pause === true || resume === true ? { isPaused: pause === true } : {}),
      }
      const changed = await forMerchant(merchant, async (db, merchantId, cause) =>
        summaryOf(
          await changeCampaign(db, { merchantId, slug, change, revision: undefined }, cause),
          cause.now,
        ),
      )
      print(changed, options, `Changed the campaign ${slug}. Takes effect within 5 seconds.`)
    })

  addCampaignSchedule(campaign)
  addFreeSpins(campaign)

  for (const verb of ['archive', 'restore'] as const) {
    campaign
      .command(`${verb} <merchant> <campaign>`)
      .description(
        verb === 'archive' ? 'end a campaign; balances are kept' : 'bring back an archived campaign',
      )
      .option('--json', 'print JSON')
      .action(async (merchant: string, slug: string, options: JsonOption) => {
        const isArchived = verb === 'archive'
        const changed = await forMerchant(merchant, async (db, merchantId, cause) =>
          summaryOf(await archiveCampaign(db, { merchantId, slug, isArchived }, cause), cause.now),
        )
        print(changed, options, `The campaign ${slug} is ${isArchived ? 'archived' : 'back'}.`)
      })
  }

  campaign
    .command('duplicate <merchant> <campaign> <copy>')
    .description('create a campaign like another one, with a copy of its wheel as a draft')
    .option('--name <name>', 'what players call it')
    .option('--same-wheel', 'use the same wheel, with the same stock')
    .option('--json', 'print JSON')
    .action(
      async (
        merchant: string,
        slug: string,
        copy: string,
        options: JsonOption & { name?: string; sameWheel?: boolean },
      ) => {
        const { name, sameWheel: sharesWheel = false } = options
        const order = { slug, copy: idOf(copy), name, sharesWheel }
        const created = await forMerchant(merchant, async (db, merchantId, cause) =>
          summaryOf(await duplicateCampaign(db, { merchantId, ...order }, cause), cause.now),
        )
        print(created, options, `Created the campaign ${copy}.`)
      },
    )
}

type CreateOptions = JsonOption & DateOptions & { wheel: string; name?: string; purse?: string }
type SetOptions = JsonOption &
  DateOptions & { wheel?: string; name?: string; pause?: boolean; resume?: boolean }

const listedMax = 1_000

function withDates(command: Command): Command {
  return command
    .option('--opens <time>', `when it opens, ${momentForm}`, parseMoment)
    .option('--closes <time>', `when it closes, ${momentForm}`, parseMoment)
    .option(
      '--priority <number>',
      'from 0 to 1000; campaigns with a greater one come first',
      parseWholeNumber(0, 1000),
    )
    .option(
      '--spin-lifetime <time>',
      "how long its spins last, in days: 30d; or none, for the merchant's setting",
      parseSpinLifetime,
    )
}

function settingsIn({ opens, closes, priority, spinLifetime }: DateOptions) {
  return {
    ...(opens === undefined ? {} : { opensAt: opens === 'never' ? null : opens }),
    ...(closes === undefined ? {} : { closesAt: closes === 'never' ? null : closes }),
    ...(priority === undefined ? {} : { priority }),
    ...(spinLifetime === undefined
      ? {}
      : { spinLifetimeDays: spinLifetime === 'none' ? null : spinLifetime }),
  }
}

function idOf(slug: string): string {
  if (isSlug(slug)) return slug
  throw new Mistake('The id of a campaign must be 1 to 40 lower-case letters, digits and dashes.')
}

function summaryOf(campaign: Campaign, now: Date) {
  const { slug, name, wheel, purse, priority, schedule } = campaign
  const { state } = openingOf(campaign, now)
  const { opensAt, closesAt } = campaign
  return {
    campaign: slug,
    name,
    state,
    wheel,
    purse,
    priority,
    opensAt,
    closesAt,
    timeZone: schedule.timeZone,
    spinLifetimeDays: campaign.spinLifetimeDays,
    scheduled: scheduledText(campaign.scheduled),
  }
}
