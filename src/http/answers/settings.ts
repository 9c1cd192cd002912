import { type Static, Type } from 'typebox'
import { currencyPattern } from '../../currency.ts'
import {
  balanceMax,
  linkLifetimeSecondsMax,
  linkLifetimeSecondsMin,
  redemptionReversalHoursMax,
  spinExpiryNoticeHoursMax,
  spinLifetimeDaysMax,
  spinNumberCeiling,
  staffDailyGrantCeiling,
} from '../../limits.ts'
import { settingsOf } from '../../merchants/change-settings.ts'
import type { Merchant } from '../../merchants/merchants.ts'
import { originPattern } from '../../slug.ts'
import { timeZonePattern } from '../../text-patterns.ts'
import { isTest } from '../../test-clock.ts'
import { nullable, Time } from './shapes.ts'

export const Settings = Type.Object({
  strictPlayers: Type.Boolean({
    description: 'If true, increaseSpin refuses players that never had a game link.',
  }),
  grantMax: Type.Integer({
    minimum: 1,
    maximum: spinNumberCeiling,
    description: 'Spins at most in one call.',
    examples: [1000],
  }),
  dailyGrantMax: nullable(
    Type.Integer({
      minimum: 1,
      maximum: balanceMax,
      description: 'Spins at most per player and day (UTC).',
    }),
  ),
  supportDailyGrantMax: Type.Integer({
    minimum: 0,
    maximum: staffDailyGrantCeiling,
    description:
      "Spins at most that a person with the role support gives on one day of the merchant's time zone.",
    examples: [100],
  }),
  linkLifetimeSeconds: Type.Integer({ minimum: linkLifetimeSecondsMin, maximum: linkLifetimeSecondsMax }),
  spinLifetimeDays: nullable(
    Type.Integer({
      minimum: 1,
      maximum: spinLifetimeDaysMax,
      description:
        'Spins expire this many days after they were granted or won; null for never. Applies to spins given or won from now on.',
    }),
  ),
  spinExpiryNoticeHours: nullable(
    Type.Integer({
      minimum: 1,
      maximum: spinExpiryNoticeHoursMax,
      description: 'How long before spins expire the event `spins.expiring` announces it; null for never.',
    }),
  ),
  redemptionReversalHours: Type.Integer({
    minimum: 0,
    maximum: redemptionReversalHoursMax,
    description: 'How long after it a redemption can be taken back, in hours; 0 for never.',
    examples: [24],
  }),
  embedOrigins: Type.Array(Type.String({ maxLength: 300, pattern: originPattern }), {
    maxItems: 50,
    description: 'The origins that may show the game in a frame.',
  }),
  timeZone: Type.String({
    pattern: timeZonePattern,
    description: 'The time zone of days in reports, and of times in the console.',
    examples: ['Europe/Berlin'],
  }),
  currency: nullable(
    Type.String({
      pattern: currencyPattern,
      description:
        'The currency of the costs of prizes and of budgets, as in ISO 4217. The console shows amounts in it.',
      examples: ['EUR'],
    }),
  ),
})
export type Settings = Static<typeof Settings>

export const MerchantAnswer = Type.Object(
  {
    merchant: Type.String(),
    name: Type.String(),
    live: Type.Optional(Type.Literal(false, { description: 'Only for a test merchant.' })),
    createdAt: Time,
    ...Settings.properties,
  },
  { title: 'Merchant' },
)
export type MerchantAnswer = Static<typeof MerchantAnswer>

export function shownMerchant(merchant: Merchant): MerchantAnswer {
  return {
    merchant: merchant.slug,
    name: merchant.name,
    ...(isTest(merchant) ? { live: false as const } : {}),
    createdAt: merchant.createdAt.toISOString(),
    ...settingsOf(merchant),
  }
}
