/** How much one merchant may have or do. `limits.ts` has all other limits. */

/** Invitations to one address, and in all. */
export const invitationsPerHourMax = { perAddress: 3, perMerchant: 30 }

/**
 * How many of each a merchant can have. Of tokens, those count that are neither revoked nor expired; the list has all.
 * Webhooks have a limit and a refusal of their own.
 */
export const merchantQuotas = { wheels: 500, 'code pools': 500, 'live tokens': 200 }

/** The detail of `merchant_limit_reached`. */
export function quotaReached(what: keyof typeof merchantQuotas): string {
  return `The merchant can have at most ${merchantQuotas[what]} ${what}. Nothing was changed.`
}
