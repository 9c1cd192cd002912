import { readArchives } from './integrity/archive/archives.ts'
import { sealKeyOf } from './integrity/seal-hash.ts'
import { LedgerSealer } from './integrity/seal-ledger.ts'
import { tellDates } from './campaigns/tell-dates.ts'
import { clockOffsetMs } from './db/clock-offset.ts'
import { entryMailPauseMs, entryTidyPauseMs } from './entries/entry-limits.ts'
import type { Happenings } from './entries/happenings.ts'
import { removeEndedLists } from './links/link-lists.ts'
import { makeNextLinks } from './links/make-listed-links.ts'
import { scheduledWork } from './entries/scheduled-work.ts'
import { sendDueCodes } from './entries/send-codes.ts'
import { tidyEntries } from './entries/tidy-entries.ts'
import type { Mailer } from './mail.ts'
import { takeBackups } from './take-backups.ts'
import { readTableSizes } from './db/table-sizes.ts'
import { partitionState, readPartitions } from './events/event-partitions.ts'
import { eraseNextEvents } from './events/erase-events.ts'
import { signOfLifeMs } from './free-spin-rule/free-spin-limits.ts'
import {
  countingPauseMs,
  databaseLookMs,
  erasurePauseMs,
  growthLookMs,
  prizeExpiryPauseMs,
  prizesExpiredAtOnceMax,
  schedulePauseMs,
  sealLookMs,
  spinExpiryPauseMs,
} from './limits.ts'
import { linkListPauseMs } from './link-list-limits.ts'
import type { GrantMemory } from './grants/grant-memory.ts'
import { insertMissingMains } from './merchants/main-campaign.ts'
import { readClocks } from './merchants/test-clocks.ts'
import type { BackgroundWork } from './metrics.ts'
import { countOverdueHolds } from './plays/prize-holds.ts'
import { expireNextSpins } from './players/expire-spins.ts'
import { expirePrizes, expirePrizesOf } from './prizes/expire-prizes.ts'
import { RecurringWork } from './recurring-work.ts'
import { countActivity } from './reports/count-activity.ts'
import { countByClock } from './reports/count-by-clock.ts'
import { countVisits } from './reports/count-visits.ts'
import type { OpenedVisits } from './reports/opened-visits.ts'
import type { RecentRequests } from './reports/recent-requests.ts'
import { watchDraws } from './reports/draw-drift.ts'
import { makeDueChanges } from './scheduled/make-due-changes.ts'
import { type MailNeeds, sendMails } from './send-mails.ts'
import { sendWebhooks, type WebhookNeeds } from './send-webhooks.ts'
import { alertLookMs, lookForAlerts } from './staff-alerts/plan-alerts.ts'
import { timeOf } from './test-clock.ts'
import { eraseDeliveries } from './webhooks/erase-deliveries.ts'
import { showLife } from './wheels/interruptions.ts'

/** The parts of the context that background work needs. */
type Needs = MailNeeds &
  WebhookNeeds & {
    grantMemory: GrantMemory
    openedVisits: OpenedVisits
    happenings: Happenings
    recentRequests: RecentRequests
  }

type Background = {
  start: () => void
  /** Waits for the current steps, and for webhook requests in flight, up to the grace period. */
  close: () => Promise<void>
}

/** The work without a request: expiry, scheduled changes, counting, erasure, sealing, webhooks and backups. */
export function makeBackground(needs: Needs): Background {
  const { config, metrics } = needs
  const recurring = [
    watchDatabase(needs),
    watchGrowth(needs),
    expireSpins(needs),
    expireWonPrizes(needs),
    keepSchedule(needs),
    showSignsOfLife(needs),
    countRecentActivity(needs),
    eraseFromEvents(needs),
    tidyOldEntries(needs),
    makeListedLinks(needs),
    ...(needs.mail === undefined ? [] : [mailCodes(needs, needs.mail), planStaffAlerts(needs)]),
    ...(config.sealIntervalSeconds > 0 ? [sealLedger(needs)] : []),
  ]
  const webhookWorker = sendWebhooks(needs)
  const mailWorker = sendMails(needs)
  const backupWorker = takeBackups(needs)
  return {
    start: () => {
      for (const work of recurring) work.start()
      backupWorker.start()
      mailWorker?.start()
      if (!config.webhooks.isSending) return
      webhookWorker.start()
      metrics.workDone('tidy_webhooks')
    },
    close: async () => {
      await backupWorker.close()
      const graceMs = config.stopGraceSeconds * 1000
      await Promise.all([webhookWorker.close(graceMs), mailWorker?.close(graceMs)])
      await Promise.all(recurring.map((work) => work.close()))
    },
  }
}

/** Work that repeats, with its failures in the log and its successes in the metrics. */
function repeat(
  { log, metrics }: Needs,
  task: { name: BackgroundWork; pauseMs: number; failure: string; work: () => Promise<'more' | 'done'> },
): RecurringWork {
  const { name, pauseMs, failure, work } = task
  metrics.workDone(name)
  return new RecurringWork({
    pauseMs,
    work: async () => {
      const next = await work()
      metrics.workDone(name)
      return next
    },
    onTrouble: (error) => log.warn({ error }, failure),
  })
}

function watchDatabase(needs: Needs): RecurringWork {
  const { db, now, metrics } = needs
  return repeat(needs, {
    name: 'watch_database',
    pauseMs: databaseLookMs,
    failure: 'the database does not answer',
    work: async () => {
      try {
        metrics.clockOffset.set((await clockOffsetMs(db, now)) / 1000)
        metrics.databaseUp.set(1)
        return 'done'
      } catch (error) {
        metrics.databaseUp.set(0)
        throw error
      }
    },
  })
}

/** Looks at what grows. Grants learn from it whether some entries are archived. */
function watchGrowth(needs: Needs): RecurringWork {
  const { config, db, metrics, grantMemory } = needs
  return repeat(needs, {
    name: 'watch_growth',
    pauseMs: growthLookMs,
    failure: 'looking at the sizes of tables failed',
    work: async () => {
      metrics.tableSizes(await readTableSizes(db))
      grantMemory.hasArchive = (await readArchives(db)).length > 0
      const { aheadMs, overdueMs } = partitionState(await readPartitions(db), config.eventRetentionDays)
      metrics.eventPartitionsAhead.set(aheadMs / 1000)
      metrics.eventPartitionOverdue.set(overdueMs / 1000)
      return 'done'
    },
  })
}

function expireSpins(needs: Needs): RecurringWork {
  return repeat(needs, {
    name: 'expire_spins',
    pauseMs: spinExpiryPauseMs,
    failure: 'expiring spins failed',
    work: () => expireNextSpins(needs.db, needs.now()),
  })
}

function expireWonPrizes(needs: Needs): RecurringWork {
  const { db, now, events, metrics } = needs
  return repeat(needs, {
    name: 'expire_prizes',
    pauseMs: prizeExpiryPauseMs,
    failure: 'expiring prizes failed',
    work: async () => {
      const expired = await expirePrizes(db, now())
      for (const merchant of await readClocks(db))
        await expirePrizesOf(db, merchant.merchantId, timeOf(merchant, now()))
      metrics.prizesOverdue.set(await countOverdueHolds(db, now()))
      events.sequencer.nudge()
      return expired === prizesExpiredAtOnceMax ? 'more' : 'done'
    },
  })
}

/** Scheduled changes, events about the dates of campaigns, and the campaign `main` of merchants that lack it. */
function keepSchedule(needs: Needs): RecurringWork {
  const { db, log, now, events } = needs
  return repeat(needs, {
    name: 'scheduled_changes',
    pauseMs: schedulePauseMs,
    failure: 'making scheduled changes failed',
    work: async () => {
      const made = await makeDueChanges(db, now(), {
        make: scheduledWork,
        onTrouble: (error, key) =>
          log.error({ error, ...key }, 'a scheduled change was not made, and is tried again'),
      })
      await insertMissingMains(db)
      const told = await tellDates(db, now())
      if (made + told > 0) events.sequencer.nudge()
      return 'done'
    },
  })
}

/** Outages break no streak, so they are recorded. */
function showSignsOfLife(needs: Needs): RecurringWork {
  return repeat(needs, {
    name: 'signs_of_life',
    pauseMs: signOfLifeMs,
    failure: 'showing a sign of life failed',
    work: async () => {
      await showLife(needs.db, needs.config)
      return 'done'
    },
  })
}

function countRecentActivity(needs: Needs): RecurringWork {
  const { db, log, metrics, now, openedVisits, recentRequests } = needs
  return repeat(needs, {
    name: 'count_activity',
    pauseMs: countingPauseMs,
    failure: 'counting activity failed',
    work: async () => {
      await openedVisits.flush()
      await recentRequests.flush()
      const hasMore = [await countActivity(db, now()), await countVisits(db, now())]
      for (const merchant of await readClocks(db)) await countByClock(db, now(), merchant)
      if (hasMore.includes(true)) return 'more'
      const drifting = await watchDraws(db, now())
      if (drifting > 0)
        log.warn({ prizes: drifting }, 'prizes are drawn more or less often than chance explains')
      metrics.drawDrifts.inc(drifting)
      return 'done'
    },
  })
}

function eraseFromEvents(needs: Needs): RecurringWork {
  return repeat(needs, {
    name: 'erase_events',
    pauseMs: erasurePauseMs,
    failure: 'erasing players from events failed',
    work: () => eraseNextEvents(needs.db, { now: needs.now(), eraseDeliveries }),
  })
}

function tidyOldEntries(needs: Needs): RecurringWork {
  return repeat(needs, {
    name: 'tidy_entries',
    pauseMs: entryTidyPauseMs,
    failure: 'counting and tidying entries failed',
    work: async () => {
      await Promise.all([needs.happenings.flush(), tidyEntries(needs.db, needs.now())])
      return 'done'
    },
  })
}

function makeListedLinks(needs: Needs): RecurringWork {
  const { db, events, now } = needs
  return repeat(needs, {
    name: 'make_links',
    pauseMs: linkListPauseMs,
    failure: 'making the links of a list failed',
    work: async () => {
      const next = await makeNextLinks(db, now())
      if (next === 'more') events.sequencer.nudge()
      else await removeEndedLists(db, now())
      return next
    },
  })
}

function mailCodes(needs: Needs, mail: Mailer): RecurringWork {
  return repeat(needs, {
    name: 'mail_codes',
    pauseMs: entryMailPauseMs,
    failure: 'mailing codes to visitors failed',
    work: () => sendDueCodes({ ...needs, mail }, needs.now()),
  })
}

function planStaffAlerts(needs: Needs): RecurringWork {
  return repeat(needs, {
    name: 'staff_alerts',
    pauseMs: alertLookMs,
    failure: 'looking for alerts to staff failed',
    work: async () => {
      await lookForAlerts(needs.db, needs.now())
      return 'done'
    },
  })
}

function sealLedger(needs: Needs): RecurringWork {
  const { config, db, log, now } = needs
  const [sealSecret] = config.sealKeys
  const sealer = new LedgerSealer({
    db,
    now,
    key: sealSecret === undefined ? undefined : sealKeyOf(sealSecret),
    intervalMs: config.sealIntervalSeconds * 1000,
    // Logs are kept outside the database: if somebody edits the database and seals it again, these lines differ.
    onSealed: ({ merchantId, sealNo, hash }) => log.info({ merchantId, sealNo, hash }, 'sealed the ledger'),
  })
  return repeat(needs, {
    name: 'seal_ledger',
    pauseMs: sealLookMs,
    failure: 'sealing the ledger failed',
    work: async () => {
      await sealer.step()
      return 'done'
    },
  })
}
