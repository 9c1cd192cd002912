import { type Static, Type } from 'typebox'
import type { Merchant } from '../../merchants/merchants.ts'
import { timeOf } from '../../test-clock.ts'
import { Time } from './common.ts'

const NotLive = Type.Literal(false, { description: 'Always false: this is a test merchant.' })

export const ClockAnswer = Type.Object(
  { now: Type.String({ format: 'date-time', description: 'The time of the test merchant.' }), live: NotLive },
  { title: 'TestClock' },
)
export type ClockAnswer = Static<typeof ClockAnswer>

export function shownClock(now: Date): ClockAnswer {
  return { now: now.toISOString(), live: false }
}

export const TestMerchantAnswer = Type.Object(
  {
    merchant: Type.String({ examples: ['test-acme'] }),
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
    name: merchant.name,
    live: false,
    createdAt: merchant.createdAt.toISOString(),
    now: timeOf(merchant, realTime).toISOString(),
  }
}
