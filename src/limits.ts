/**
 * Every bound that Wheelhouse keeps, in one place. What a merchant may lower has the word `ceiling`;
 * what an operator may change is in config.ts instead.
 */

// The merchant's operations
export const playerIdLengthMax = 128
export const spinNumberCeiling = 1_000_000
export const balanceMax = 1_000_000_000
export const idempotencyKeyLengthMax = 255
export const linkLifetimeSecondsMin = 5 * 60
export const linkLifetimeSecondsMax = 30 * 24 * 60 * 60
// How much later than its first link a player may come into being.
export const linkCreationMsMax = 10_000

// HTTP
export const bodyBytesMax = 16 * 1024
export const headerBytesMax = 16 * 1024
export const headerCountMax = 100
export const workerRestartPauseMs = 1_000
// Above what one address may have, so that there is room for others beside it.
export const connectionsMax = 20_000
export const connectionsPerAddressMax = 10_000
export const requestsInFlightMax = 1_000
export const headersTimeoutMs = 10_000
export const requestTimeoutMs = 15_000
export const idleConnectionTimeoutMs = 60_000
export const validationErrorsShownMax = 50
export const keepAliveTimeoutMs = 65_000
export const connectionsCheckIntervalMs = 1_000
// How long the pieces of a common request may be apart before Node's own parser, with its own patience, gets them.
export const wholeRequestMs = 250
// What is read on a connection before the answer to what came before; then the server stops reading.
export const readAheadBytesMax = 64 * 1024
// After the last answer on a connection, what the client still sends is discarded: so much, for so long, or until it is
// silent for so long.
export const lingerBytesMax = 64 * 1024 * 1024
export const lingerMsMax = 10_000
export const lingerSilenceMsMax = 1_000
export const gameTokenBytesMax = 2_048
export const recentRequestsMax = 100
export const merchantsWithRecentRequestsMax = 500

export const logBufferBytes = 8 * 1024
export const logBytesMax = 4 * 1024 * 1024
export const logFlushMs = 100

// Who may call, and how often
export const serviceTokenCacheMs = 5_000
export const serviceTokenCacheMax = 10_000
export const lastUseFlushMs = 10_000
export const signingKeyCacheMs = 5_000
export const tokensRememberedMax = 5_000
export const tokenHeadersRememberedMax = 100
export const tokenHeaderLengthMax = 256
export const rateLimitWindowSeconds = 10
export const failedTokensPerMinuteMax = 30
// Unknown tokens from addresses that have sent too many wrong ones: so many are looked up at once, and so many wait.
export const guessesReadAtOnceMax = 2
export const guessesWaitingMax = 100
export const addressesTrackedMax = 50_000

// The game
export const currentWheelCacheMs = 1_000
export const wheelsCachedMax = 200
export const seedsRememberedMax = 5_000
export const winsShownMax = 50
export const lowStockShare = 0.1
export const versionsListedMax = 100
export const codesPerUploadMax = 20_000
export const uploadBytesMax = 4 * 1024 * 1024
export const codeStreamBytesMax = 256 * 1024 * 1024
export const wheelBytesMax = 2 * 1024 * 1024

// Webhooks
export const webhookUrlLengthMax = 2_000
export const webhooksPerMerchantMax = 50
export const webhookLookupTimeoutMs = 2_000
export const webhookConnectTimeoutMs = 5_000
// Once the status is known, the body is only of interest for its first characters.
export const webhookBodyTimeoutMs = 2_000
export const webhookAnswerBytesMax = 16 * 1024
export const webhookAnswerHeaderBytesMax = 16 * 1024
export const webhookExcerptLengthMax = 500
export const webhookKeepAliveMs = 4_000
export const webhookRetryAfterSecondsMax = 60 * 60
export const webhookRetryJitter = 0.1
export const webhookProbePauseSecondsMin = 5
export const webhookProbePauseSecondsMax = 5 * 60
export const webhookOldSecretSeconds = 24 * 60 * 60
export const webhookFailuresMax = 20
export const webhookHopelessSeconds = 3 * 24 * 60 * 60
// For each webhook: events read ahead, how far the newest that was sent may be ahead of the oldest that was not, and
// what was not noted yet.
export const webhookReadMax = 500
export const webhookWindowMax = 5_000
export const webhookRetriesReadMax = 500
export const webhookNotesMax = 500
export const webhookNoteDelayMs = 200
// So many that wait for another try are a receiver in trouble: no new ones are begun.
export const webhookWaitingMax = 100_000
// A receiver that took this long to answer is slow, and stays so for a minute after the last such answer. It gets a
// quarter of the requests at once, few are read ahead for it, and it is looked after less often.
export const webhookSlowMs = 2_000
export const webhookSlowSeconds = 60
export const webhookSlowReadMax = 16
export const webhookSlowPollMs = 2_000
// For each process: webhooks served at once, slow ones beside them, and all together with those that only wait for their
// last answers. A merchant has at most so many of the first, and as many of the second.
export const webhooksServedMax = 100
export const webhooksSlowMax = 100
export const webhooksHeldMax = 400
export const webhooksServedPerMerchantMax = 20
export const webhooksClaimedMax = 8
// After this time a webhook leaves its place to another that waits for one.
export const webhookTurnMs = 2_000
export const webhookDatabaseConcurrency = 3
export const webhookLeaseMs = 10_000
export const webhookRenewMs = 2_000
export const webhookClaimMs = 1_000
export const webhookNudgeMs = 100
export const webhookPollMs = 500
export const webhookLingerMs = 2_000
export const webhookTidyMs = 60_000
export const webhookRowsTidiedMax = 5_000
// A resend is carried out in steps of so many events, and waits while so many deliveries of its webhook wait.
export const webhookResendStepMax = 1_000
export const webhookResendWaitingMax = 10_000
export const webhookResendMs = 1_000
export const webhookResendStepsPerRoundMax = 20
// Unfinished ones, for each webhook.
export const webhookResendsMax = 10
export const webhookResendsListedMax = 100
// For so long a repeat of the request that made a webhook shows its secret again.
export const webhookSecretReplaySeconds = 24 * 60 * 60
export const webhookTestsPerMinuteMax = 30
export const webhookRowsListedMax = 500
export const webhookRowsListedDefault = 100
export const webhookDescriptionLengthMax = 200

// Staff and the console
export const passwordLengthMin = 12
export const passwordLengthMax = 200
export const passwordsAtOnceMax = 2
export const passwordsWaitingMax = 20
export const sessionLifetimeSeconds = 30 * 86_400
export const sessionIdleSeconds = 7 * 86_400
export const sessionSeenEverySeconds = 60
export const knownBrowserSeconds = 400 * 86_400
export const mailTimeoutMs = 10_000
export const resetMailsPerHourMax = 3
export const ownResetLifetimeSeconds = 60 * 60
export const invitationLifetimeSeconds = 7 * 86_400
export const signInFailuresFree = 5
export const signInDelaySecondsMax = 300
export const failuresForgottenSeconds = 86_400
export const signInsPerMinuteMax = 120
export const sourceLengthMax = 64
// Failures that one network may have at once, for all accounts together, and how soon one of them is forgotten.
export const networkFailuresMax = 60
export const networkFailureSeconds = 30
// Offices and homes get at least so many bits of an IPv6 address from their provider.
export const sourceNetworkBits = 64
export const ceilingNetworkBits = 56
// More characters take longer to look at, and are a better password than these already.
export const passwordCheckedLengthMax = 40
export const recoveryCodesPerAccount = 10
export const passkeysPerAccountMax = 20
export const passkeyChallengeSeconds = 300
// For so long after a sign-in, its methods can be changed without the password.
export const recentSignInSeconds = 600

// Management
export const pageSizeDefault = 50
export const pageSizeMax = 500
export const exportPageSize = 1_000
export const exportsAtOnceMax = 4
export const reasonLengthMax = 500
// What one person may give on one day, whatever the role. A merchant sets a lower ceiling for support.
export const staffDailyGrantCeiling = 1_000_000
// As many as the console sends at once: one line in the audit log for each transaction.
export const grantsByHandPerTransaction = 2_000
// Of a wheel's changes in the audit log.
export const wheelChangesAuditedMax = 200
export const auditedTextMax = 200
export const draftEditorsMax = 50
// How many entries of the audit log a page looks at in search of those that fit its filters.
export const auditRowsScannedMax = 100_000
// How many rows a page looks at in search of those that fit its filters.
export const rowsScannedMax = 20_000
export const prizesExpiredAtOnceMax = 500
export const prizeExpiryPauseMs = 5_000
// Counts stay this far behind, so that what was begun before has appeared.
export const activityLagMs = 30_000
export const activityStepMs = 60 * 60 * 1000
export const countingPauseMs = 10_000
export const reportDaysMax = 400
export const reportDaysDefault = 30
export const grantsPerBatchMax = 10_000
export const grantsPerTransaction = 500
export const grantBatchBytesMax = 8 * 1024 * 1024
export const grantBatchesAtOnceMax = 2

// The database
export const operationDeadlineMs = 5_000
export const connectTimeoutMs = 3_000
export const answerMarginMs = 500
export const silenceCheckMs = 250
export const batchMax = 1_000
// While several merchants come: what one of them waits for is at most so much work of another.
export const sharedBatchMax = 24
export const sharedForMs = 1_000
// The longest time that the next batch waits for the end of the one in flight.
export const batchWaitMaxMs = 4
// Below `requestsInFlightMax`, so that one merchant can't take every place.
export const queueMax = 900
export const queueMaxPerMerchant = 600
export const queueWaitMaxMs = 1_000
export const grantsPerCallMax = 10_000
// Players and keys that a process remembers, each.
export const rememberedMax = 2 ** 18
export const carefulForMs = 1_000
export const embeddedStartTimeoutMs = 60_000
export const embeddedStopTimeoutMs = 15_000
export const embeddedLockWaitMs = 5_000
export const embeddedWatchMs = 1_000
export const socketPathBytesMax = 100

// Spins that expire
export const spinLifetimeDaysMax = 3_650
export const spinExpiryPlayersMax = 1_000
// A merchant's players are looked through once in this time, by whichever process comes first.
export const spinExpirySweepMs = 60 * 60 * 1_000
export const spinExpiryPauseMs = 60 * 1_000

// Events
// A reader who wants a few events of a page has to take the whole page, so pages stay small.
export const eventsPerPageMax = 500
export const eventsScannedMax = 5_000
export const eventsScannedBackMax = 100_000
export const sequencerIntervalMs = 1_000
export const sequencerNudgeMs = 50
// It rests at least so many times as long as it has worked.
export const sequencerRestFactor = 4
export const sequencerPagesMax = 1_000
export const eventsPerRequestMax = 1_000
export const eventsPerRequestDefault = 100
// How many stretches of `eventsScannedMax` one request looks through for the types that it wants.
export const eventStretchesPerRequestMax = 20
export const eventWaitSecondsMax = 30
export const eventFeedIntervalMs = 1_000
// Requests that wait for events, and live streams. They are no part of `requestsInFlightMax`.
export const eventReadersMax = 1_000
export const eventReadersPerMerchantMax = 50
// Also how often it is looked whether the reader may still read.
export const liveHeartbeatMs = 5_000
export const eventTicketSeconds = 60
export const liveBatchMax = 500
export const liveBufferBytesMax = 1024 * 1024
export const eventRetentionPauseMs = 60 * 60 * 1_000
export const eventPagesDeletedMax = 200
// Taking the ids of erased players out of events.
export const eventPagesErasedMax = 200
export const erasurePauseMs = 1_000
export const erasureLeaseMs = 60_000
export const erasureLookMs = 5_000
// From then on every event that was under way when the player was erased is in the log.
export const erasureLogSettledMs = 60_000
// From then on no sender holds an older event in memory.
export const erasureSettledMs = 60 * 60 * 1_000

// Seals over the ledger
export const sealLookMs = 250
// Players that one step looks at.
export const sealPlayersMax = 10_000
// The sealer rests at least so many times as long as it has worked: 3 % of one core at most.
export const sealRestFactor = 30
export const sealsCheckedAtOnce = 10_000
