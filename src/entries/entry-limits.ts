/** The limits of visitors: of their addresses (RFC 5321), entries, codes and challenges. */
export const addressLengthMax = 254
export const localPartLengthMax = 64
export const entryFieldsMax = 20
export const entryOptionsMax = 50
export const entryLabelLengthMax = 500
export const entryAnswerLengthMax = 1_000
export const entryTermsLengthMax = 4_000
export const entrySpinsMax = 1_000
export const entryTokenLengthMax = 512
// For campaigns whose entry was taken away by a version before 0.5.0.
export const answersDaysDefault = 90
export const consentYearsDefault = 3
export const answersDaysMax = 3_650
export const consentYearsMax = 30
export const entryCodeLength = 6
export const entryNameLengthMax = 200
export const entryPassSeconds = 400 * 86_400
// The code that proves an address: how long it is accepted, how often it may be typed, and when another can be sent.
export const entryCodeSeconds = 10 * 60
export const entryCodeAttempts = 5
export const entryCodeResendSeconds = 60
export const entrySessionSeconds = 60 * 60
// Codes that are sent: to one address from one network, to one address, to one network, and for one merchant.
export const entryCodesPerHour = { addressAndNetwork: 5, network: 60, merchant: 5_000 }
export const entryCodesPerDay = { address: 30 }
// Submissions of one network, and how many make the next ones suspicious.
export const entriesPerHour = { network: 600, suspicious: 20 }
// Visitors of one process whose entries share a transaction, and the longest pause after it.
export const entriesPerBatchMax = 32
export const entryRestMaxMs = 100
// Visitors of one process who prove an address, or ask for another code, at one time; others wait.
export const proofsAtOnce = 1
export const entriesWaitingMax = { perMerchant: 200, inAll: 400 }
// The newest codes that staff of a test merchant read.
export const entryCodesListed = 100
export const entryMailPauseMs = 1_000
export const entryMailsAtOnce = 20
export const entryMailTriesMax = 5
export const entryMailRetryMs = 30_000
// Twenty long answers, in any script.
export const entryBodyBytesMax = 96 * 1024
export const entrySettingsBytesMax = 256 * 1024
// A repeat of a submission is recognised for this long.
export const entryRequestSeconds = 7 * 86_400
export const answersRewrappedAtOnce = 500
export const entryTidyPauseMs = 60_000
// Of one campaign. The next run goes on.
export const entryTidyLimits = { perPage: 1_000, pagesPerRun: 100 }
export const happeningsWaitingMax = 10_000
export const challengeSeconds = 10 * 60
export const challengeCost = 1_000
export const challengeCounter = { min: 500, max: 1_500 }
// A challenge is at most so many times as long, for a network that enters very often.
export const challengeRiskMax = 8
// Figures of visitors are counted when they are read, by so many entries at once.
export const entryFigureDaysMax = 92
export const entriesCountedAtOnce = 5_000
