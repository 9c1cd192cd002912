/** Where a visitor's entry of a campaign is. */
export type EntryPlace = { shard: number; playerNo: number; merchantId: number; campaignId: number }

/** Where answers belong, for their encryption. */
export function answersPlace({ merchantId, playerNo, campaignId }: Omit<EntryPlace, 'shard'>): string {
  return `answers ${merchantId} ${playerNo} ${campaignId}`
}
