/** How much one merchant may have or do. `limits.ts` has all other limits. */

/** Invitations to one address, and in all. */
export const invitationsPerHourMax = { perAddress: 3, perMerchant: 30 }
