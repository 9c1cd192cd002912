import type { Command } from 'commander'
import { findCampaign } from '../campaigns/campaigns.ts'
import { cancelWheel, scheduleWheel } from '../campaigns/schedule-wheel.ts'
import { Mistake } from '../mistake.ts'
import type { ScheduledJson } from '../scheduled/scheduled-changes.ts'
import { cancelPublication, schedulePublication } from '../wheels/schedule-publication.ts'
import { findWheel } from '../wheels/wheels.ts'
import { forMerchant } from './for-merchant.ts'
import { type JsonOption, print } from './output.ts'

const timeHelp = '\nA time without a zone, such as 2026-11-20T18:00, is in the time zone of the wheel.'

/** Publications at a later time. */
export function addPublicationSchedule(wheel: Command): void {
  wheel
    .command('schedule <merchant> <wheel> <time>')
    .description('publish the draft as it is now at a later time; later edits are not in it')
    .option('--json', 'print JSON')
    .addHelpText('after', `${timeHelp}\nExample:\n  wheelhouse wheel schedule acme main 2026-11-20T18:00`)
    .action(async (merchant: string, slug: string, time: string, options: JsonOption) => {
      const { at, timeZone } = await forMerchant(merchant, async (db, merchantId, cause) => {
        const { draft } = await findWheel(db, merchantId, slug)
        const moment = momentIn(time, draft.timeZone)
        const order = { merchantId, slug, at: moment, revision: undefined }
        await schedulePublication(db, order, cause)
        return { at: moment, timeZone: draft.timeZone }
      })
      const text = `The draft of ${slug} is published at ${zonedText(at, timeZone)}.`
      print({ wheel: slug, at, timeZone }, options, text)
    })

  wheel
    .command('unschedule <merchant> <wheel>')
    .description('cancel a scheduled publication, or remove the note of one that failed')
    .option('--json', 'print JSON')
    .action(async (merchant: string, slug: string, options: JsonOption) => {
      const scheduled = await forMerchant(merchant, async (db, merchantId, cause) => {
        const found = await findWheel(db, merchantId, slug)
        await cancelPublication(db, { merchantId, slug }, cause)
        return found.scheduled
      })
      const none = `No publication of ${slug} is scheduled.`
      const text = scheduled === null ? none : cancelledText(`publication of ${slug}`, scheduled)
      print({ wheel: slug, at: null }, options, text)
    })
}

/** Other wheels for campaigns at a later time. */
export function addCampaignSchedule(campaign: Command): void {
  campaign
    .command('schedule <merchant> <campaign> <wheel> <time>')
    .description('give a campaign another wheel at a later time')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${timeHelp}\nExample:\n  wheelhouse campaign schedule acme main autumn 2026-09-01T00:00`,
    )
    .action(async (merchant: string, slug: string, wheel: string, time: string, options: JsonOption) => {
      const { at, timeZone } = await forMerchant(merchant, async (db, merchantId, cause) => {
        const { schedule } = await findCampaign(db, merchantId, slug)
        const moment = momentIn(time, schedule.timeZone)
        await scheduleWheel(db, { merchantId, slug, wheel, at: moment }, cause)
        return { at: moment, timeZone: schedule.timeZone }
      })
      const text = `The campaign ${slug} gets the wheel ${wheel} at ${zonedText(at, timeZone)}.`
      print({ campaign: slug, wheel, at, timeZone }, options, text)
    })

  campaign
    .command('unschedule <merchant> <campaign>')
    .description('cancel the change to another wheel, or remove the note of one that failed')
    .option('--json', 'print JSON')
    .action(async (merchant: string, slug: string, options: JsonOption) => {
      const scheduled = await forMerchant(merchant, async (db, merchantId, cause) => {
        const found = await findCampaign(db, merchantId, slug)
        await cancelWheel(db, { merchantId, slug }, cause)
        return found.scheduled
      })
      const none = `No other wheel is scheduled for ${slug}.`
      const text = scheduled === null ? none : cancelledText(`change of ${slug} to another wheel`, scheduled)
      print({ campaign: slug, at: null }, options, text)
    })
}

function cancelledText(change: string, { at, failedAt }: ScheduledJson): string {
  if (failedAt !== null) return `The note of the failed ${change} is removed.`
  return `The ${change} at ${new Date(at).toISOString()} is cancelled.`
}

/** What is scheduled, for lists. */
export function scheduledText(scheduled: ScheduledJson | null): string | null {
  if (scheduled === null) return null
  if (scheduled.failedAt === null) return new Date(scheduled.at).toISOString().replace(/\.\d+Z$/, 'Z')
  return `failed: ${scheduled.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ')}`
}

/** A time with its zone, or in the time zone of the wheel. */
function momentIn(text: string, timeZone: string): Date {
  try {
    const moment = /(?:Z|[+-]\d\d:\d\d)$/.test(text)
      ? Temporal.Instant.from(text)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone, { disambiguation: 'reject' })
    return new Date(moment.epochMilliseconds)
  } catch (error) {
    throw new Mistake(
      `"${text}" is no time in ${timeZone}. Write it as 2026-11-20T18:00 or 2026-11-20T18:00:00+01:00.`,
      { cause: error },
    )
  }
}

function zonedText(at: Date, timeZone: string): string {
  const there = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  return `${there.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ')} (${timeZone})`
}
