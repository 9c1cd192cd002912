import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { Database } from '../db/database.ts'
import { isLoggedEventType, type LoggedEventType, loggedEventTypes } from '../events/event-types.ts'
import { firstKeptSeq, lastSeq, type LoggedEvent, publicEvent, scanEvents } from '../events/event-log.ts'
import { numberNextPages } from '../events/sequencer.ts'
import { eventFeedIntervalMs, eventsPerRequestMax } from '../limits.ts'
import { findMerchant, listMerchants, type Merchant } from '../merchants/merchants.ts'
import { Mistake } from '../mistake.ts'
import { isTest } from '../test-clock.ts'
import { parseWholeNumber } from './durations.ts'
import { type JsonOption, withDatabase } from './output.ts'
import { visibleJson } from '../visible-text.ts'

type TailOptions = JsonOption & {
  merchant?: string
  after?: number
  types?: LoggedEventType[]
  follow?: boolean
}

const shownByDefault = 20

export function addEventCommands(program: Command): void {
  program
    .command('events')
    .description("a merchant's event log")
    .command('tail')
    .description("show a merchant's newest events, one per line")
    .option('--merchant <id>', 'the merchant (default: the only one)')
    .option(
      '--after <number>',
      `show events after this number; 0 shows all that are kept (default: the last ${shownByDefault})`,
      parseAfter,
    )
    .option('--types <list>', 'only these types, separated by commas', parseTypes)
    .option('--follow', 'keep showing new events until Ctrl-C')
    .option('--json', 'print each event as JSON, in the format of the API')
    .addHelpText(
      'after',
      '\nExample:\n  wheelhouse events tail --merchant acme --types play.completed,prize.won --follow',
    )
    .action(async (options: TailOptions) => {
      await withDatabase(async (db) => tail(db, await chooseMerchant(db, options.merchant), options))
    })
}

async function tail(db: Database, merchant: Merchant, options: TailOptions): Promise<void> {
  const { merchantId } = merchant
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  // A running server does this itself; without one, new events have no numbers yet.
  await numberNextPages(db)
  let after = options.after ?? (await defaultStart(db, merchantId))
  while (!stop.signal.aborted) {
    const query = { merchantId, after, types: options.types, limit: eventsPerRequestMax }
    const { events, next, last } = await scanEvents(db, query)
    for (const event of events)
      process.stdout.write(`${line(event, merchant, options)}
`)
    after = next
    if (next < last) continue
    if (options.follow !== true) return
    await sleep(eventFeedIntervalMs, undefined, { signal: stop.signal }).catch(() => undefined)
    await numberNextPages(db)
  }
}

async function defaultStart(db: Database, merchantId: number): Promise<number> {
  const [first, last] = await Promise.all([firstKeptSeq(db, merchantId), lastSeq(db, merchantId)])
  return Math.max(first - 1, last - shownByDefault)
}

function line(event: LoggedEvent, merchant: Merchant, options: JsonOption): string {
  const shown = publicEvent(event, { slug: merchant.slug, isTest: isTest(merchant) })
  if (options.json === true) return JSON.stringify(shown)
  const text = `${event.seq}  ${event.at}  ${event.type}  ${visibleJson(event.data)}`
  // Control characters in merchants' texts must not reach the terminal.
  return text.replaceAll(/\p{Cc}/gu, '�')
}

async function chooseMerchant(db: Database, slug: string | undefined): Promise<Merchant> {
  if (slug !== undefined) return findMerchant(db, slug)
  const [only, ...others] = await listMerchants(db)
  if (only === undefined) throw new Mistake('There are no merchants yet.')
  if (others.length > 0) throw new Mistake('There are several merchants. Name one with --merchant.')
  return only
}

const parseAfter = parseWholeNumber(0, 9_999_999_999)

function parseTypes(text: string): LoggedEventType[] {
  const types = text.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !isLoggedEventType(type))
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no type "${unknown}". The types are ${loggedEventTypes.join(', ')}.`,
    )
  return types as LoggedEventType[]
}
