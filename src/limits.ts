/**
 * All limits of Wheelhouse. A limit that a merchant may lower is called `ceiling`; limits that an operator may change
 * are in config.ts.
 */

// The merchant's operations
export const playerIdLengthMax = 128
export const spinNumberCeiling = 1_000_000
export const balanceMax = 1_000_000_000
export const idempotencyKeyLengthMax = 255
export const linkLifetimeSecondsMin = 5 * 60
export const linkLifetimeSecondsMax = 30 * 24 * 60 * 60
// How long after its first link a player may be created.
export const linkCreationMsMax = 10_000

// Campaigns
export const liveCampaignsMax = 50
// How many rows of expired links the next link with a key removes.
export const linkKeysDeletedMax = 10
// Changes that are made later, and events about the dates of campaigns.
export const scheduleAheadMsMax = 366 * 24 * 60 * 60 * 1_000
export const schedulePauseMs = 1_000
export const dueChangesAtOnceMax = 100

// HTTP
export const bodyBytesMax = 16 * 1024
export const headerBytesMax = 16 * 1024
export const headerCountMax = 100
export const workerRestartPauseMs = 1_000
/** Signals within this time are one request to stop. */
export const sameSignalMs = 500
// Above the limit of one address, so that there is room for others.
export const connectionsMax = 20_000
export const connectionsPerAddressMax = 10_000
export const requestsInFlightMax = 1_200
// Requests begun in one turn of the event loop.
export const requestsPerTurnMax = 128
export const headersTimeoutMs = 10_000
export const requestTimeoutMs = 15_000
export const fileUploadTimeoutMs = 10 * 60 * 1_000
export const idleConnectionTimeoutMs = 60_000
export const validationErrorsShownMax = 50
export const keepAliveTimeoutMs = 65_000
export const connectionsCheckIntervalMs = 1_000
// How long the pieces of a common request may be apart. After that, Node's parser and its timeouts take over.
export const wholeRequestMs = 250
// How much is read on a connection before the previous request is answered. Then the server stops reading.
export const readAheadBytesMax = 64 * 1024
// After the last answer on a connection, the server discards what the client still sends: up to this many bytes, for
// this long, or until the client is silent for this long.
export const lingerBytesMax = 64 * 1024 * 1024
export const lingerMsMax = 10_000
export const lingerSilenceMsMax = 3_000
export const gameTokenBytesMax = 2_048

export const logBufferBytes = 8 * 1024
export const logBytesMax = 4 * 1024 * 1024
export const logFlushMs = 100
// Of the refusals of one kind (code, route and merchant), this many get a line of their own in each of these times.
// The others are counted. Further kinds get no line and no count.
export const refusalLinesMax = 10
export const refusalSummaryMs = 1_000
export const refusalKindsMax = 1_000

// Traces
export const spansWaitingMax = 2_048
export const spansPerExportMax = 512
// All attempts of one export together. A stop may have to wait for it.
export const spanExportTimeoutMs = 3_000
export const spanFlushMs = 2_000

// Authentication and rate limits
export const serviceTokenCacheMs = 5_000
export const serviceTokenCacheMax = 10_000
export const lastUseFlushMs = 10_000
export const signingKeyCacheMs = 5_000
// At least this many, of those used last, and at most twice as many. A token takes about 800 bytes.
export const tokensRememberedMin = 20_000
export const tokenHeadersRememberedMax = 100
export const tokenHeaderLengthMax = 256
export const rateLimitWindowSeconds = 10
export const failedTokensPerMinuteMax = 30
// Unknown tokens from addresses that have sent too many wrong ones: how many are looked up at once, and how many
// wait.
export const guessesReadAtOnceMax = 2
export const guessesWaitingMax = 100
export const addressesTrackedMax = 50_000
export const addressesRememberedMin = 5_000

// The game
export const currentWheelCacheMs = 1_000
export const wheelsCachedMax = 200
// At least this many, of those used last, and at most twice as many.
export const playersRememberedMin = 20_000
export const stocksRememberedMin = 5_000
export const winsShownMax = 50
export const lowStockShare = 0.1
export const versionsListedMax = 100
export const codesPerUploadMax = 20_000
export const uploadBytesMax = 4 * 1024 * 1024
export const codeStreamBytesMax = 256 * 1024 * 1024
export const wheelBytesMax = 2 * 1024 * 1024
/** How long one period of a pace may be, and how many separate times all paces of a wheel may have. */
export const paceDaysMax = 400
export const spansPerWheelMax = 1_000
/** After a run has ended, its key is kept for this long: other processes may still play the previous version. */
export const runRevealDelayMs = 60_000
export const runEntriesPerPage = 1_000
/** Draws are compared with chance over this many days. More than this many standard deviations are a drift. */
export const driftDays = 30
export const driftDeviationsMax = 6
/** The steps of the chart of a run. */
export const pacePoints = 48

// Webhooks
export const webhookUrlLengthMax = 2_000
export const webhooksPerMerchantMax = 50
export const webhookLookupTimeoutMs = 2_000
export const webhookConnectTimeoutMs = 5_000
// Once the status is known, only the first characters of the body matter.
export const webhookBodyTimeoutMs = 2_000
export const webhookAnswerBytesMax = 16 * 1024
export const webhookAnswerHeaderBytesMax = 16 * 1024
export const webhookExcerptLengthMax = 1024
// What is stored of an answer's headers: each value, and all together as JSON.
export const webhookAnswerHeaderLengthMax = 200
export const webhookAnswerHeadersLengthMax = 2_000
export const webhookKeepAliveMs = 4_000
export const webhookRetryAfterSecondsMax = 60 * 60
export const webhookRetryJitter = 0.1
export const webhookProbePauseSecondsMin = 5
export const webhookProbePauseSecondsMax = 5 * 60
export const webhookOldSecretSeconds = 24 * 60 * 60
export const webhookFailuresMax = 20
export const webhookHopelessSeconds = 3 * 24 * 60 * 60
// For each webhook: the number of events read ahead, how far the newest sent event may be ahead of the oldest unsent
// one, and the number of results that are not recorded yet.
export const webhookReadMax = 500
export const webhookWindowMax = 5_000
export const webhookRetriesReadMax = 500
export const webhookPendingResultsMax = 500
export const webhookRecordDelayMs = 200
// If this many deliveries wait for a retry, the receiver is in trouble, and no new events are sent.
export const webhookWaitingMax = 100_000
// A receiver that took this long to answer counts as slow, until a minute after the last such answer. It gets a
// quarter of the concurrent requests, fewer events are read ahead for it, and it is polled less often.
export const webhookSlowMs = 2_000
export const webhookSlowSeconds = 60
export const webhookSlowReadMax = 16
export const webhookSlowPollMs = 2_000
// For each process: the webhooks served at once, the slow ones beside them, and all together, including those that
// only wait for their last answers. A merchant can have this many of the first kind, and as many of the second.
export const webhooksServedMax = 100
export const webhooksSlowMax = 100
export const webhooksHeldMax = 400
export const webhooksServedPerMerchantMax = 20
export const webhooksClaimedMax = 8
// After this time a webhook gives up its slot if another one waits.
export const webhookTurnMs = 2_000
export const webhookDatabaseConcurrency = 3
export const webhookClaimMs = 1_000
export const webhookPollMs = 500
export const webhookLingerMs = 2_000
export const webhookTidyMs = 60_000
export const webhookRowsTidiedMax = 5_000
// A resend queues this many events per step. It waits while this many deliveries of its webhook wait.
export const webhookResendStepMax = 1_000
export const webhookResendWaitingMax = 10_000
export const webhookResendMs = 1_000
export const webhookResendStepsPerRoundMax = 20
// How many events are read to count those that a resend would queue.
export const webhookResendCountMax = 100_000
// Unfinished resends of one webhook.
export const webhookResendsMax = 10
export const webhookResendsListedMax = 100
// For this long, a repeat of the request that created a webhook shows its secret again.
export const webhookSecretReplaySeconds = 24 * 60 * 60
export const webhookTestsPerMinuteMax = 30
export const webhookRowsListedMax = 500
export const webhookFaultAttemptsMax = 100
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
export const mailSocketMs = 600_000
export const mailConnectionsMax = 2
export const resetMailsPerHourMax = 3
export const ownResetLifetimeSeconds = 60 * 60
export const invitationLifetimeSeconds = 7 * 86_400
export const signInFailuresFree = 5
export const signInDelaySecondsMax = 300
export const failuresForgottenSeconds = 86_400
export const signInsPerMinuteMax = 120
export const sourceLengthMax = 64
// The failures that one network may have at once, for all accounts together, and how soon one of them is forgotten.
export const networkFailuresMax = 60
export const networkFailureSeconds = 30
// Providers give an office or home at least this many bits of the IPv6 address space.
export const sourceNetworkBits = 64
export const ceilingNetworkBits = 56
// A longer password takes longer to check, and is strong enough at this length.
export const passwordCheckedLengthMax = 40
export const recoveryCodesPerAccount = 10
export const passkeysPerAccountMax = 20
export const passkeyChallengeSeconds = 300
// For this long after a sign-in, its methods can be changed without the password.
export const recentSignInSeconds = 600

// Management
export const pageSizeDefault = 50
export const pageSizeMax = 500
export const exportPageSize = 1_000
// Limits of Excel, with the header.
export const xlsxRowsPerSheetMax = 1_048_576
export const xlsxCellLengthMax = 32_767
// A slow reader holds its place, so one merchant can't have them all.
export const exportsMax = { perMerchant: 3, inAll: 12 }
export const reasonLengthMax = 500
// The spins that one person may give in one day, in any role. A merchant sets a lower ceiling for support.
export const staffDailyGrantCeiling = 1_000_000
// As many as the console sends at once: the audit log gets one line for each transaction.
export const grantsByHandPerTransaction = 2_000
// The changes of a wheel that the audit log shows.
export const wheelChangesAuditedMax = 200
export const auditedTextMax = 200
export const draftEditorsMax = 50
// How many entries of the audit log are read for one page of filtered results.
export const auditRowsScannedMax = 100_000
// How many rows are read for one page of filtered results.
export const rowsScannedMax = 20_000
// For a search by a part of an id: 128,000 ids in one request.
export const playersScannedPerShardMax = 2_000
export const redemptionReversalHoursMax = 30 * 24
export const prizesExpiredAtOnceMax = 500
export const prizeExpiryPauseMs = 5_000
// Counts lag this far behind, so that transactions that began earlier are visible by then.
export const activityLagMs = 30_000
// When a day is over, its quarters are summed: for this many days of this many merchants with each count.
export const closedDaysAtOnce = 100
export const closedMerchantsAtOnce = 50
export const activityStepMs = 60 * 60 * 1000
export const countingPauseMs = 10_000
// Opened visits wait in memory for the next count. Beyond this number they are not counted, unless they are played.
export const openedVisitsMax = 100_000
export const openedVisitsPerStatement = 5_000
export const reportDaysMax = 400
export const reportDaysDefault = 30
export const cohortWeeksDefault = 12
// About how many plays a forecast simulates in all, and the least and the most runs that it divides them into.
export const forecastPlaysAtOnce = 2_000_000
export const forecastRunsMin = 10
export const forecastRunsMax = 200
// How many plays one run may have: plays a day times days.
export const forecastPlaysMax = 1_000_000
export const forecastDaysMax = 366
export const forecastMsMax = 20_000
export const forecastsMax = { perMerchant: 3 }
export const grantsPerBatchMax = 10_000
export const grantsPerTransaction = 500
export const grantBatchBytesMax = 8 * 1024 * 1024
export const grantBatchesAtOnce = 2
export const grantsInBatchesMax = { perMerchant: 40_000, inAll: 200_000 }

// The database
// How long a caller waits: in all, for a connection, and in the queue for a batch. Tests wait longer, so that a busy
// machine is not taken for a fault.
export const databaseDeadlines = { operationMs: 5_000, connectMs: 3_000, queueWaitMs: 1_000 }
// How long the answers of the other hosts are awaited once one host says that it takes writes.
export const otherHostsWaitMs = 300
export const answerMarginMs = 500
export const silenceCheckMs = 250
// With `queueMaxPerMerchant`, and two batches in flight, below `requestsInFlightMax`.
export const batchMax = 250
// If several merchants send requests, one of them waits for at most this much work of another.
export const sharedBatchMax = 24
export const sharedForMs = 1_000
// The longest time that the next batch waits for the end of the one in flight.
export const batchWaitMaxMs = 4
// The same for a batch that changes the same contended row.
export const contendedWaitMaxMs = 50
// Below `requestsInFlightMax`, so that one merchant can't use all of it.
export const queueMax = 900
export const queueMaxPerMerchant = 600
// Beyond this number, a merchant's requests are refused if they would probably wait for longer than this.
export const queueMinPerMerchant = 64
export const expectedWaitMaxMs = 500
export const grantsPerCallMax = 10_000
// Names in each of the tables of players and of keys that a process has seen.
export const seenNamesMax = 2 ** 18
export const carefulForMs = 1_000
export const databaseLookMs = 10_000
export const growthLookMs = 5 * 60 * 1_000
// The test write behind /readyz: how often, how long a caller waits, and after which time writes count as hanging.
export const writeProbeMs = 1_000
export const writeProbeWaitMs = 1_000
export const writeHangMs = 3_000
export const embeddedStartTimeoutMs = 60_000
// A restored cluster first replays its write-ahead log.
export const newClusterStartTimeoutMs = 60 * 60 * 1_000
export const embeddedStopTimeoutMs = 15_000
export const embeddedLockWaitMs = 5_000
export const embeddedWatchMs = 1_000
export const socketPathBytesMax = 100

// Backups on a schedule
export const backupLookMs = 60 * 1_000
export const backupRetryMs = 15 * 60 * 1_000

// Archives. Younger rows stay in the database: a link lives for up to 30 days, and with it the repeat of a play.
export const archiveAgeDaysMin = 31
// The most entries and plays of a file, unless one seal has more.
export const archiveRowsMax = 1_000_000
// Parts (a player's rows in one seal) read, checked and removed at once. Players are locked while theirs are removed.
export const archiveReadMax = 500
export const archivePartsCheckedMax = 1_000
export const archiveRowsCheckedMax = 20_000
export const archivePartsRemovedMax = 200

// Spins that expire
export const spinLifetimeDaysMax = 3_650
export const spinExpiryYearsMax = 10
export const spinExpiryNoticeHoursMax = 8_760
// Grants of one player whose spins expire and are not used up.
export const lotsPerPlayerMax = 1_000
// Lots that are expired or announced in one transaction.
export const lotsSweptMax = 500
export const spinExpiryPauseMs = 60 * 1_000

// A reader that wants a few events of a page has to read the whole page, so pages stay small.
export const eventsPerPageMax = 500
export const eventsScannedMax = 5_000
// On a cluster, a page is committed a moment later than its number.
export const eventGapPauseMs = 20
export const eventGapAttemptsMax = 10
export const eventsScannedBackMax = 100_000
export const sequencerIntervalMs = 1_000
export const sequencerNudgeMs = 50
// The sequencer rests at least this many times as long as it has worked.
export const sequencerRestFactor = 4
export const sequencerPagesMax = 1_000
export const eventsPerRequestMax = 1_000
export const eventsPerRequestDefault = 100
// How many ranges of `eventsScannedMax` events one request scans for the types that it wants.
export const eventStretchesPerRequestMax = 20
export const eventWaitSecondsMax = 30
export const eventFeedIntervalMs = 1_000
// Requests that wait for events, and live streams. They don't count against `requestsInFlightMax`.
export const eventReadersMax = { perMerchant: 50, inAll: 1_000, perToken: 40, perPerson: 10, ofPeople: 25 }
// Also the interval at which the reader's permission is checked.
export const liveHeartbeatMs = 5_000
export const eventTicketSeconds = 60
export const liveBatchMax = 500
export const liveBufferBytesMax = 1024 * 1024
export const eventRetentionPauseMs = 60 * 60 * 1_000
export const eventPagesExpiredMax = 2_000
// How many partitions of the log hold the events of the whole retention. Every reader looks into each of them; the rows
// of expired events stay for up to one more.
export const eventPartitionsPerRetention = 6
// How long a change of partitions may wait for a table. Writers wait behind it.
export const eventPartitionLockMs = 200
// Removing the ids of erased players from events.
export const eventPagesErasedMax = 200
export const erasurePauseMs = 1_000
export const erasureLeaseMs = 60_000
export const erasureLookMs = 5_000
// After this time, every event that was in flight when the player was erased is in the log.
export const erasureLogSettledMs = 60_000
// After this time, no sender holds an older event in memory.
export const erasureSettledMs = 60 * 60 * 1_000

// On a cluster, an audit that found something is repeated after this time.
export const auditAgainMs = 5_000

// Seals over the ledger
export const sealLookMs = 250
// Players that one step checks.
export const sealPlayersMax = 10_000
// The sealer rests at least this many times as long as it has worked, and so uses at most 3 % of one core.
export const sealRestFactor = 30
export const sealsCheckedAtOnce = 10_000

// Test merchants of a merchant, and the clock of each.
export const testMerchantsMax = 20
export const clockStepYearsMax = 2
export const clockAheadYearsMax = 50
/** Codes in each pool of a new test merchant. */
export const sampleCodesPerPool = 100
/** How long a request for a player `force-slow-…` takes. */
export const forcedSlowMs = 5_000
export const forcedErrorsRememberedMin = 1_000
