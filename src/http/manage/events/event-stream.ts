import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { type Database, untilDone } from '../../../db/database.ts'
import { type EventType, isOfCampaign } from '../../../events/event-types.ts'
import { lastSeq, type LoggedEvent, publicEvent, scanEvents } from '../../../events/event-log.ts'
import type { LiveReader } from '../../../events/live-events.ts'
import { eventReadersMax, liveBatchMax, liveBufferBytesMax, liveHeartbeatMs } from '../../../limits.ts'
import type { Share } from '../../../concurrency/merchant-concurrency.ts'
import type { Merchant } from '../../../merchants/merchants.ts'
import { Refusal } from '../../../refusals.ts'
import { isTest } from '../../../test-clock.ts'
import { eventFor } from '../masked-codes.ts'

type EventStreamOrder = {
  merchant: Merchant
  /** Undefined: from now on. */
  after: number | undefined
  types: readonly EventType[] | undefined
  /** Only events of this campaign; all if undefined. */
  campaign: string | undefined
  /** Fails when the caller may no longer read. Called with every heartbeat. */
  confirm: () => Promise<void>
}

/** No caller may take all places of its merchant, and people leave some to its systems. */
export function sharesOf({ staff, caller }: FastifyRequest): Share[] {
  const name = caller?.tokenId ?? ''
  const { perToken, perPerson, ofPeople } = eventReadersMax
  if (staff === undefined) return [{ name, max: perToken }]
  return [
    { name, max: perPerson },
    { name: 'people', max: ofPeople },
  ]
}

/**
 * Answers with server-sent events, without an end. A reader that is too slow or may no longer read is cut off.
 * It can resume from the last id.
 */
export async function sendEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  order: EventStreamOrder,
): Promise<FastifyReply> {
  const { ctx } = request.server
  const { merchantId } = order.merchant
  const leave = ctx.events.readers.enter(merchantId, 1, sharesOf(request))
  const stream = new PassThrough()
  stream.once('close', leave)
  const reader = readerOf(request, stream, order)
  try {
    reader.after = await firstNumber(ctx.db, merchantId, order.after)
  } catch (error) {
    leave()
    throw error
  }
  const heart = setInterval(() => void beat(stream, reader, order.confirm), liveHeartbeatMs)
  stream.once('close', () => clearInterval(heart))
  write(stream, `retry: 1000\nid: ${reader.after}\n\n`)
  void catchUp(ctx, stream, { ...order, reader }).catch((error: unknown) => {
    ctx.log.warn({ requestId: request.id, error }, 'a live stream of events broke off')
    stream.destroy()
  })
  return reply
    .headers({
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Nothing else is sent on this connection, and proxies must not collect what should arrive at once.
      Connection: 'close',
      'X-Accel-Buffering': 'no',
    })
    .send(stream)
}

/** Writes the events that were asked for to the stream. */
function readerOf(request: FastifyRequest, stream: PassThrough, order: EventStreamOrder): LiveReader {
  const { merchant, types, campaign } = order
  const shown = { slug: merchant.slug, isTest: isTest(merchant) }
  return {
    after: 0,
    deliver(fresh) {
      const wanted = fresh.filter(
        (event) => (types === undefined || types.includes(event.type)) && isOfCampaign(event, campaign),
      )
      write(stream, wanted.map((event) => frame(eventFor(request, event), shown)).join(''))
    },
    end: () => void stream.end(),
  }
}

/** The number to read after. A wrong one is refused before the stream begins. */
async function firstNumber(db: Database, merchantId: number, asked: number | undefined): Promise<number> {
  const after = asked ?? (await untilDone(() => lastSeq(db, merchantId)))
  await untilDone(() => scanEvents(db, { merchantId, after, limit: 1 }))
  return after
}

/** Reads earlier events, at the pace of the receiver, and then joins the live readers. */
async function catchUp(
  { db, events }: Context,
  stream: PassThrough,
  { merchant, types, campaign, reader }: EventStreamOrder & { reader: LiveReader },
): Promise<void> {
  const { merchantId } = merchant
  while (!stream.destroyed) {
    const query = { merchantId, after: reader.after, types, campaign, limit: liveBatchMax }
    const found = await untilDone(() => scanEvents(db, query))
    reader.after = found.next
    reader.deliver(found.events)
    if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), once(stream, 'close')])
    if (found.next < found.last || stream.destroyed) continue
    const part = events.live.join(merchantId, reader)
    if (part === undefined) continue
    stream.once('close', part)
    if (stream.destroyed) part()
    return
  }
}

async function beat(
  stream: PassThrough,
  reader: LiveReader,
  confirm: EventStreamOrder['confirm'],
): Promise<void> {
  // An id without an event: it costs nothing, and a reader that reconnects has less to scan.
  write(stream, `id: ${reader.after}\n\n`)
  await confirm().catch((error: unknown) => {
    if (!(error instanceof Refusal && error.code === 'database_unavailable')) stream.end()
  })
}

function write(stream: PassThrough, text: string): void {
  if (stream.destroyed || stream.writableEnded) return
  stream.write(text)
  if (stream.writableLength + stream.readableLength > liveBufferBytesMax) stream.destroy()
}

function frame(event: LoggedEvent, merchant: { slug: string; isTest: boolean }): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(publicEvent(event, merchant))}\n\n`
}
