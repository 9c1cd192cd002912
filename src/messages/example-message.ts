import type { Database } from '../db/database.ts'
import { codeMail } from '../entries/code-mail.ts'
import { samplePrize } from '../languages/mail-words.ts'
import { isMarketing } from '../mails/mail-kinds.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { readMerchantTexts } from './merchant-texts.ts'
import { readMessageSettings } from './message-settings.ts'
import type { MessageKind, MessageTexts } from './message-texts.ts'
import { type RenderedMessage, renderMessage } from './render-message.ts'

/** The kinds that can be seen: also the code that proves an address, which has no own texts. */
type ExampleKind = MessageKind | 'address_code'

export type ExampleOrder = {
  kind: ExampleKind
  language: string
  /** Null for the merchant's own texts. */
  campaignId: number | null
  /** Texts that are not saved yet, instead of those of the campaign or, without one, of the merchant. */
  texts: MessageTexts | undefined
}

const dayMs = 86_400_000

/** A message as a player would get it, made by the same code, about a prize and spins that do not exist. */
export async function exampleMessage(
  { db, gameUrl }: { db: Database; gameUrl: string },
  merchant: Merchant,
  { kind, language, campaignId, texts, now }: ExampleOrder & { now: Date },
): Promise<RenderedMessage> {
  if (kind === 'address_code') {
    const { subject, text, html } = codeMail('', { code: '482913', merchant: merchant.name, language })
    return { subject, text, html, fromName: '', pictures: [] }
  }
  const shared = {
    merchant: merchant.name,
    lastDay: startOfDay(new Date(now.getTime() + 10 * dayMs), merchant.timeZone),
    timeZone: merchant.timeZone,
  }
  const facts = isMarketing(kind)
    ? { ...shared, spins: 3, link: `${gameUrl}/spinthewheel/`, unsubscribe: `${gameUrl}/u/example` }
    : { ...shared, prize: samplePrize(language), code: 'TREAT-7Q2M', link: `${gameUrl}/wallet/` }
  const layers = await layersOf(db, merchant, { kind, campaignId, texts })
  return renderMessage(kind, { language, layers, facts })
}

/** When the day of a moment began, unless the clock was changed on it. */
function startOfDay(moment: Date, timeZone: string): Date {
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', hourCycle: 'h23', timeZone })
  const [hours = 0, minutes = 0, seconds = 0] = clock.format(moment).split(':').map(Number)
  const sinceMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000
  return new Date(Math.trunc(moment.getTime() / 1_000) * 1_000 - sinceMs)
}

/** The texts of a campaign come before those of its merchant. */
async function layersOf(
  db: Database,
  { merchantId }: Merchant,
  { kind, campaignId, texts }: Pick<ExampleOrder, 'campaignId' | 'texts'> & { kind: MessageKind },
): Promise<MessageTexts[]> {
  if (campaignId === null) return [texts ?? (await readMerchantTexts(db, merchantId)).kinds[kind]]
  const own = texts ?? (await readMessageSettings(db, { merchantId, campaignId })).kinds[kind].texts
  return [own, (await readMerchantTexts(db, merchantId)).kinds[kind]]
}

/** The same message in one piece, for a browser. */
export function inOnePiece({ pictures, html, ...message }: RenderedMessage) {
  const whole = pictures.reduce(
    (text, { id, png }) => text.replace(`cid:${id}`, `data:image/png;base64,${png.toString('base64')}`),
    html,
  )
  return { ...message, html: whole }
}
