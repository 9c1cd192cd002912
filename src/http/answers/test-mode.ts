import { type Static, Type } from 'typebox'
import type { Merchant } from '../../merchants/merchants.ts'
import { timeOf } from '../../test-clock.ts'
import { Time } from './shapes.ts'

const NotLive = Type.Literal(false, { description: 'Always false: this is a test merchant.' })

export const ClockAnswer = Type.Object(
  { now: Type.String({ format: 'date-time', description: 'The time of the test merchant.' }), live: NotLive },
  { title: 'TestClock' },
)
export type ClockAnswer = Static<typeof ClockAnswer>

export function shownClock(now: Date): ClockAnswer {
  return { now: now.toISOString(), live: false }
}

/** Which of the test merchants of a live merchant is meant. */
export const TestQuery = Type.Object({
  test: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{0,19}$',
      description: 'The name of a test merchant. Without it, the one that has none.',
      examples: ['ci-1'],
    }),
  ),
})

export const TestMerchantAnswer = Type.Object(
  {
    merchant: Type.String({ examples: ['test-acme', 'test-acme_ci-1'] }),
    test: Type.Union([Type.String(), Type.Null()], { description: 'Its name, if it has one.' }),
    name: Type.String(),
    live: NotLive,
    createdAt: Time,
    now: Time,
  },
  { title: 'TestMerchant' },
)
export type TestMerchantAnswer = Static<typeof TestMerchantAnswer>

export function shownTestMerchant(merchant: Merchant, realTime: Date): TestMerchantAnswer {
  return {
    merchant: merchant.slug,
    test: merchant.testName,
    name: merchant.name,
    live: false,
    createdAt: merchant.createdAt.toISOString(),
    now: timeOf(merchant, realTime).toISOString(),
  }
}
