import { type Command, InvalidArgumentError } from 'commander'
import {
  balanceMax,
  linkLifetimeSecondsMax,
  linkLifetimeSecondsMin,
  redemptionReversalHoursMax,
  spinExpiryNoticeHoursMax,
  spinNumberCeiling,
  staffDailyGrantCeiling,
} from '../../limits.ts'
import { changeSettings } from '../../merchants/change-settings.ts'
import {
  findMerchant,
  listMerchants,
  type Merchant,
  type MerchantSettings,
} from '../../merchants/merchants.ts'
import { suspendMerchant } from '../../merchants/suspend-merchant.ts'
import { Mistake } from '../../mistake.ts'
import { isCurrency } from '../../currency.ts'
import { isSlug, originPattern } from '../../slug.ts'
import { isTimeZone } from '../../wheel-document/schedule.ts'
import {
  parseDurationSeconds,
  parseName,
  parseOnOff,
  parseSpinLifetime,
  parseWholeNumber,
} from '../durations.ts'
import { commandCause, type JsonOption, print, table, withDatabase } from '../output.ts'

export function addMerchantCommands(program: Command): void {
  const merchant = program.command('merchant').description('create merchants and change their settings')

  merchant
    .command('create <id>')
    .description('create a merchant; its id never changes: lower-case letters, digits and dashes')
    .option('--name <name>', 'display name (default: the id)')
    .option('--time-zone <zone>', `${zoneHelp} (default: UTC)`, parseTimeZone)
    .option('--currency <code>', currencyHelp, parseCurrency)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wheelhouse merchant create acme --name "Acme Games" --currency EUR --time-zone Europe/Berlin\n  wheelhouse token issue acme',
    )
    .action(async (id: string, options: JsonOption & { name?: string } & MoneyAndTime) => {
      const slug = parseSlug(id)
      const order = { slug, name: parseName(options.name ?? slug), ...moneyAndTime(options) }
      // Loaded only here: the wheel schema takes as long to load as everything that the other commands need.
      const { createMerchant } = await import('../../merchants/create-merchant.ts')
      const created = await withDatabase((db) =>
        createMerchant(db, { ...order, now: new Date() }, commandCause()),
      )
      print(shown(created), options, `Created merchant ${slug}. Next: wheelhouse token issue ${slug}`)
    })

  merchant
    .command('list')
    .description('list all merchants')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const rows = (await withDatabase((db) => listMerchants(db))).map(shown)
      print(
        rows,
        options,
        table(rows, 'There are no merchants yet. Create one with: wheelhouse merchant create <id>'),
      )
    })

  for (const [verb, does] of [
    ['suspend', 'refuse all requests of a merchant and close its games'],
    ['resume', 'end a suspension'],
  ] as const) {
    merchant
      .command(`${verb} <id>`)
      .description(`${does}; takes effect in all processes within 5 seconds`)
      .option('--json', 'print JSON')
      .action(async (id: string, options: JsonOption) => {
        const order = { slug: id, isSuspended: verb === 'suspend' }
        const changed = await withDatabase((db) => suspendMerchant(db, order, commandCause()))
        const state = changed.suspendedAt === null ? 'active' : 'suspended'
        print(shown(changed), options, `Merchant ${id} is ${state}.`)
      })
  }

  merchant
    .command('set <id>')
    .description("change a merchant's settings; takes effect in all processes within 5 seconds")
    .option(
      '--strict-players <on|off>',
      'on: increaseSpin refuses players that never had a game link',
      parseOnOff,
    )
    .option(
      '--grant-max <spins>',
      `most spins in one call, up to ${spinNumberCeiling}`,
      parseWholeNumber(1, spinNumberCeiling),
    )
    .option('--daily-grant-max <spins>', 'most spins per player and day (UTC), or none', parseDailyMax)
    .option(
      '--support-daily-grant-max <spins>',
      'most spins that a staff member with the role support may give in one day',
      parseWholeNumber(0, staffDailyGrantCeiling),
    )
    .option('--link-lifetime <time>', 'how long game links work: 5m to 30d', parseLifetime)
    .option(
      '--spin-lifetime <time>',
      'how long spins last after they were granted or won, in days: 30d; or none',
      parseSpinLifetime,
    )
    .option(
      '--spin-expiry-notice <time>',
      'how long before it an event announces that spins expire, in hours or days: 24h; or none',
      parseNoticeTime,
    )
    .option(
      '--redemption-reversal <time>',
      'how long a redemption can be taken back, in hours or days: 24h; or none',
      parseReversalTime,
    )
    .option(
      '--embed-origins <list>',
      'origins that may embed the game in a frame, separated by commas, or none',
      parseOrigins,
    )
    .option('--time-zone <zone>', zoneHelp, parseTimeZone)
    .option('--currency <code>', `${currencyHelp}, or none`, parseCurrency)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample: limit the damage of a leaked token\n  wheelhouse merchant set acme --grant-max 50 --daily-grant-max 200',
    )
    .action(async (id: string, options: JsonOption & SettingOptions) => {
      const changed = await withDatabase(async (db) =>
        changeSettings(
          db,
          { slug: id, change: settings(options), revision: undefined },
          commandCause(await findMerchant(db, id)),
        ),
      )
      print(shown(changed), options, table([shown(changed)], ''))
    })
}

const zoneHelp = 'time zone of days in reports and of times in the console, such as Europe/Berlin'
const currencyHelp = 'currency of the costs of prizes, such as EUR'

type MoneyAndTime = { timeZone?: string; currency?: string }
type SettingOptions = MoneyAndTime & {
  strictPlayers?: boolean
  grantMax?: number
  dailyGrantMax?: number | 'none'
  supportDailyGrantMax?: number
  linkLifetime?: number
  spinLifetime?: number | 'none'
  spinExpiryNotice?: number | 'none'
  redemptionReversal?: number
  embedOrigins?: string[]
}

function settings(options: SettingOptions): Partial<MerchantSettings> {
  const { strictPlayers, grantMax, dailyGrantMax, supportDailyGrantMax } = options
  const { linkLifetime, spinLifetime, spinExpiryNotice, redemptionReversal, embedOrigins } = options
  return {
    ...(strictPlayers === undefined ? {} : { strictPlayers }),
    ...(grantMax === undefined ? {} : { grantMax }),
    ...(dailyGrantMax === undefined
      ? {}
      : { dailyGrantMax: dailyGrantMax === 'none' ? null : dailyGrantMax }),
    ...(supportDailyGrantMax === undefined ? {} : { supportDailyGrantMax }),
    ...(linkLifetime === undefined ? {} : { linkLifetimeSeconds: linkLifetime }),
    ...(spinLifetime === undefined
      ? {}
      : { spinLifetimeDays: spinLifetime === 'none' ? null : spinLifetime }),
    ...(spinExpiryNotice === undefined
      ? {}
      : { spinExpiryNoticeHours: spinExpiryNotice === 'none' ? null : spinExpiryNotice }),
    ...(redemptionReversal === undefined ? {} : { redemptionReversalHours: redemptionReversal }),
    ...(embedOrigins === undefined ? {} : { embedOrigins }),
    ...moneyAndTime(options),
  }
}

function moneyAndTime({ timeZone, currency }: MoneyAndTime): Partial<MerchantSettings> {
  return {
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(currency === undefined ? {} : { currency: currency === 'none' ? null : currency }),
  }
}

function parseSlug(text: string): string {
  if (!isSlug(text)) {
    throw new Mistake(
      'The id must be 1 to 40 lower-case letters, digits and dashes, and must not start with a dash.',
    )
  }
  return text
}

// 'none' instead of null: Commander treats null as a missing value and turns it into ''.
function parseDailyMax(text: string): number | 'none' {
  return text === 'none' ? text : parseWholeNumber(1, balanceMax)(text)
}

/** Accepts only exact origins, because they go into a security header. */
function parseOrigins(text: string): string[] {
  if (text === 'none') return []
  const origins = text.split(',').map((origin) => origin.trim())
  if (!origins.every((origin) => new RegExp(originPattern).test(origin)))
    throw new InvalidArgumentError('Write origins like https://shop.example, separated by commas, or none.')
  return origins
}

function parseTimeZone(text: string): string {
  if (!isTimeZone(text))
    throw new InvalidArgumentError('Write the name of a time zone, like Europe/Berlin or UTC.')
  return text
}

function parseCurrency(text: string): string {
  if (text !== 'none' && !isCurrency(text))
    throw new InvalidArgumentError('Write the code of a currency, like EUR, or none.')
  return text
}

function parseLifetime(text: string): number {
  const seconds = parseDurationSeconds(text)
  if (seconds < linkLifetimeSecondsMin || seconds > linkLifetimeSecondsMax)
    throw new InvalidArgumentError('Write a time from 5m to 30d.')
  return seconds
}

function parseNoticeTime(text: string): number | 'none' {
  if (text === 'none') return text
  const hours = parseDurationSeconds(text) / 3_600
  if (!Number.isInteger(hours) || hours < 1 || hours > spinExpiryNoticeHoursMax)
    throw new InvalidArgumentError('Write whole hours from 1h to 365d, or none.')
  return hours
}

function parseReversalTime(text: string): number {
  if (text === 'none') return 0
  const hours = parseDurationSeconds(text) / 3_600
  if (!Number.isInteger(hours) || hours < 1 || hours > redemptionReversalHoursMax)
    throw new InvalidArgumentError('Write whole hours from 1h to 30d, or none.')
  return hours
}

function shown(merchant: Merchant) {
  return {
    id: merchant.slug,
    name: merchant.name,
    state: merchant.suspendedAt === null ? 'active' : 'suspended',
    strictPlayers: merchant.strictPlayers,
    grantMax: merchant.grantMax,
    dailyGrantMax: merchant.dailyGrantMax,
    supportDailyGrantMax: merchant.supportDailyGrantMax,
    linkLifetimeSeconds: merchant.linkLifetimeSeconds,
    spinLifetimeDays: merchant.spinLifetimeDays,
    spinExpiryNoticeHours: merchant.spinExpiryNoticeHours,
    redemptionReversalHours: merchant.redemptionReversalHours,
    embedOrigins: merchant.embedOrigins,
    timeZone: merchant.timeZone,
    currency: merchant.currency,
    createdAt: merchant.createdAt,
  }
}
