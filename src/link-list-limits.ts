// Links for a list of players.
export const listedPlayersMax = 100_000
export const linkListsMax = 20
export const linkListBytesMax = 8 * 1024 * 1024
export const listedLinksAtOnce = 500
export const linkListPauseMs = 1_000
