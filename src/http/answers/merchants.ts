import { type Static, Type } from 'typebox'
import type { ListedMerchant, Merchant } from '../../merchants/merchants.ts'
import { MaybeTime, Time } from './shapes.ts'
import { type Page, PageOf } from './page.ts'

export const MerchantSummary = Type.Object(
  {
    merchant: Type.String(),
    name: Type.String(),
    createdAt: Time,
    suspendedAt: MaybeTime,
  },
  { title: 'MerchantSummary' },
)
export type MerchantSummary = Static<typeof MerchantSummary>

export const ListedMerchantAnswer = Type.Object(
  {
    ...MerchantSummary.properties,
    staffCount: Type.Integer({ description: 'How many staff members it has.' }),
    tokenCount: Type.Integer({ description: 'How many live service tokens it has.' }),
  },
  { title: 'ListedMerchant' },
)
export type ListedMerchantAnswer = Static<typeof ListedMerchantAnswer>

export const MerchantsAnswer = PageOf('merchants', ListedMerchantAnswer)
export type MerchantsAnswer = Page<'merchants', ListedMerchantAnswer>

export function shownListedMerchant(merchant: ListedMerchant): ListedMerchantAnswer {
  const { staffCount, tokenCount } = merchant
  return { ...shownMerchantSummary(merchant), staffCount, tokenCount }
}

export function shownMerchantSummary(merchant: Merchant): MerchantSummary {
  return {
    merchant: merchant.slug,
    name: merchant.name,
    createdAt: merchant.createdAt.toISOString(),
    suspendedAt: merchant.suspendedAt?.toISOString() ?? null,
  }
}
