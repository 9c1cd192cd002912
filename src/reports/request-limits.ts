// How many requests of a merchant are kept, and as many refused ones; of how many merchants some wait to be written.
export const recentRequestsMax = 1_000
export const merchantsWithRecentRequestsMax = 500
export const recentRequestsListedDefault = 100
export const recentRequestsPerStatement = 5_000
export const recentRequestDays = 14
