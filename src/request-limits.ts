// The last requests of a merchant, and as many refused ones. They wait in memory, of so many merchants, to be written.
export const recentRequestsMax = 1_000
export const merchantsWithRecentRequestsMax = 500
export const recentRequestsListedDefault = 100
export const recentRequestsPerStatement = 5_000
export const recentRequestDays = 14
