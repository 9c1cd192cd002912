import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { untilDone } from '../../db/database.ts'
import { type EventType, isOfCampaign } from '../../events/event-types.ts'
import { lastSeq, type LoggedEvent, publicEvent, scanEvents } from '../../events/event-log.ts'
import { eventReadersMax, liveBatchMax, liveBufferBytesMax, liveHeartbeatMs } from '../../limits.ts'
import type { Share } from '../../merchant-places.ts'
import type { Merchant } from '../../merchants/merchants.ts'
import { Refusal } from '../../refusals.ts'
import { isTest } from '../../test-clock.ts'
import { eventFor } from './masked-codes.ts'

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
  { merchant, after, types, campaign, confirm }: EventStreamOrder,
): Promise<FastifyReply> {
  const { db, events, log } = request.server.ctx
  const { merchantId, slug } = merchant
  const shown = { slug, isTest: isTest(merchant) }
  const leave = events.readers.enter(merchantId, 1, sharesOf(request))
  const stream = new PassThrough()
  const cleanUp: (() => void)[] = [leave]
  stream.once('close', () => cleanUp.forEach((clean) => clean()))

  const write = (text: string) => {
    if (stream.destroyed || stream.writableEnded) return
    stream.write(text)
    if (stream.writableLength + stream.readableLength > liveBufferBytesMax) stream.destroy()
  }
  const reader = {
    after: 0,
    deliver(fresh: readonly LoggedEvent[]) {
      const wanted = fresh.filter(
        (event) => (types === undefined || types.includes(event.type)) && isOfCampaign(event, campaign),
      )
      write(wanted.map((event) => frame(eventFor(request, event), shown)).join(''))
    },
    end: () => void stream.end(),
  }

  /** Reads earlier events, at the pace of the receiver, and then joins the live readers. */
  const catchUp = async () => {
    while (!stream.destroyed) {
      const query = { merchantId, after: reader.after, types, campaign, limit: liveBatchMax }
      const found = await untilDone(() => scanEvents(db, query))
      reader.after = found.next
      reader.deliver(found.events)
      if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), once(stream, 'close')])
      if (found.next < found.last || stream.destroyed) continue
      const part = events.live.join(merchantId, reader)
      if (part === undefined) continue
      cleanUp.push(part)
      if (stream.destroyed) part()
      return
    }
  }
  const beat = async () => {
    // An id without an event: it costs nothing, and a reader that reconnects has less to scan.
    write(`id: ${reader.after}\n\n`)
    await confirm().catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'database_unavailable')) stream.end()
    })
  }

  try {
    reader.after = after ?? (await untilDone(() => lastSeq(db, merchantId)))
    // A wrong number is refused before the stream begins.
    await untilDone(() => scanEvents(db, { merchantId, after: reader.after, limit: 1 }))
  } catch (error) {
    leave()
    throw error
  }
  const heart = setInterval(() => void beat(), liveHeartbeatMs)
  cleanUp.push(() => clearInterval(heart))
  write(`retry: 1000\nid: ${reader.after}\n\n`)
  void catchUp().catch((error: unknown) => {
    log.warn({ requestId: request.id, error }, 'a live stream of events broke off')
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

function frame(event: LoggedEvent, merchant: { slug: string; isTest: boolean }): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(publicEvent(event, merchant))}\n\n`
}
