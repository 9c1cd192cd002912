import { campaignOf } from '../campaign-ref.ts'
import type { SigningKeys } from '../crypto/signing-keys.ts'
import type { Database, Transaction } from '../db/database.ts'
import { labelIn } from '../entries/form.ts'
import { insertEvents } from '../events/event-pages.ts'
import { type DueMail, findMail, listRefusals } from '../mails/mail-rows.ts'
import type { Composed } from '../mails/mail-sender.ts'
import type { Outcome } from '../mails/settle-reply.ts'
import { type Merchant, readMerchantByNumber } from '../merchants/merchants.ts'
import { timeOfMerchant } from '../merchants/test-clocks.ts'
import { readPlaysById } from '../plays/plays.ts'
import { textsOfPrize } from '../plays/describe-play.ts'
import { playsToClaim } from '../plays/withheld-prizes.ts'
import { findPlayer } from '../players/players.ts'
import { prizeNumber } from '../prize-kinds/prize-number.ts'
import { type ListedPrize, readPrizes } from '../prizes/prize-lists.ts'
import { listStaffOfMerchant } from '../staff/staff.ts'
import { isTest } from '../test-clock.ts'
import { walletTokenInMail } from '../wallet/wallet-claims.ts'
import type { PublishedWheels } from '../wheels/published-wheels.ts'
import type { PrizeMailData } from './plan-messages.ts'
import { listMessageSettings, type MessageKind } from './message-settings.ts'
import { findRecipient, isSuppressed, suppress } from './recipients.ts'
import { renderMessage } from './render-message.ts'

/** What the composition of messages needs. */
export type ComposeNeeds = {
  db: Database
  now: () => Date
  gameUrl: string
  linkKeys: SigningKeys
  wheels: PublishedWheels
}

/** What is sent now. Everything is looked up at this moment: settings, address, and what became of the prize. */
export async function composeMail(ctx: ComposeNeeds, mail: DueMail, now: Date): Promise<Composed> {
  const merchant = await readMerchantByNumber(ctx.db, mail.merchantId)
  if (merchant === undefined) return { dropped: 'merchant_gone' }
  return composePrizeMail(ctx, { mail, merchant, kind: mail.kind, now })
}

type Order = { mail: DueMail; merchant: Merchant; kind: MessageKind; now: Date }

async function composePrizeMail(ctx: ComposeNeeds, { mail, merchant, kind, now }: Order): Promise<Composed> {
  const { shard, playerNo, campaignId, merchantId } = mail
  const all = await listMessageSettings(ctx.db, merchantId)
  const settings = all.find((one) => one.campaignId === campaignId)?.settings
  if (settings === undefined || !settings.kinds[kind].isOn) return { dropped: 'switched_off' }
  const prize = await findPrize(ctx.db, { mail, playerNo, now })
  if (prize === undefined) return { dropped: 'prize_gone' }
  const isOver = prize.state === 'cancelled' || prize.state === 'expired' || prize.state === 'redeemed'
  if (isOver || (kind === 'claim_ends' && prize.state !== 'won')) return { dropped: `prize_${prize.state}` }
  const player = await findPlayer(ctx.db, { merchantId, playerId: prize.playerId }, now)
  if (player === undefined || player.erasedAt !== null) return { dropped: 'player_erased' }
  if (player.blockedAt !== null) return { dropped: 'player_blocked' }
  const recipient = await findRecipient(ctx.db, { shard, playerNo, merchantId })
  if (recipient === undefined) return { dropped: 'no_address' }
  if (await isSuppressed(ctx.db, merchant, recipient.address)) return { dropped: 'address_dead' }
  if (!(await mayReach(ctx.db, merchant, recipient.address))) return { dropped: 'test_merchant' }
  const token = await walletTokenInMail(ctx.db, merchant, { player, now, key: await ctx.linkKeys.newest() })
  const link = `${ctx.gameUrl}/wallet/?token=${token}`
  const { texts } = settings.kinds[kind]
  const facts = { ...(await factsOf(ctx, prize, recipient.language)), merchant: merchant.name, link }
  const { language } = recipient
  const message = renderMessage(kind, { language, texts, facts: { ...facts, timeZone: merchant.timeZone } })
  return { mail: { to: recipient.address, replyTo: settings.replyTo ?? undefined, ...message } }
}

async function findPrize(
  db: Database,
  { mail: { shard, data }, playerNo, now }: { mail: DueMail; playerNo: number; now: Date },
): Promise<ListedPrize | undefined> {
  const { playId } = data as PrizeMailData
  const play = (await readPlaysById(db, [{ shard, playId }])).find((one) => one.playerNo === playerNo)
  return play && (await readPrizes(db, [{ shard, playerNo, playNo: play.playNo }], now))[0]
}

async function factsOf({ db, wheels }: ComposeNeeds, prize: ListedPrize, language: string | null) {
  const { document } = await wheels.version(prize.wheelId, prize.wheelVersion)
  const segment = document.segments.find(({ id }) => id === prize.prizeId)
  const texts = segment && textsOfPrize(segment, document).translations
  const names = Object.fromEntries(
    Object.entries(texts ?? {}).map(([key, { title, label }]) => [key, title ?? label ?? prize.label]),
  )
  const number = prizeNumber({ playId: prize.playId, wonAt: prize.createdAt.toISOString() })
  // A form to claim holds the code back (decision 110).
  const isWithheld = (await playsToClaim(db, [prize])).has(prize.playNo)
  const code = prize.kind === 'handover' ? number : (prize.code ?? null)
  return {
    prize: language === null ? prize.label : labelIn(names, language) || prize.label,
    code: isWithheld ? null : code,
    lastDay: prize.claimBefore,
  }
}

/** A test merchant reaches only its staff. */
async function mayReach(db: Database, merchant: Merchant, address: string): Promise<boolean> {
  if (!isTest(merchant)) return true
  const staff = await listStaffOfMerchant(db, merchant.testOf ?? merchant.merchantId)
  return staff.some(({ email }) => email === address.trim().toLowerCase())
}

/** What follows when a mail is settled: events, an address that is dead, a code that is no longer needed. */
export async function afterMail(
  ctx: ComposeNeeds,
  tx: Transaction,
  { mail, outcome }: { mail: DueMail; outcome: Outcome & { to: string | undefined } },
): Promise<void> {
  if (outcome.state === 'planned') return
  const now = await timeOfMerchant({ db: tx, now: ctx.now }, mail.merchantId)
  if (outcome.to !== undefined && (await isDead(tx, mail, { outcome, now }))) {
    const merchant = await readMerchantByNumber(tx, mail.merchantId)
    if (merchant !== undefined)
      await suppress(tx, merchant, { address: outcome.to, reason: outcome.reason ?? 'dead', now })
  }
  if (outcome.state === 'dropped') return
  const told = await findMail(tx, mail.mailId)
  if (told?.playerId === null || told === undefined) return
  const campaign = (await listMessageSettings(tx, mail.merchantId)).find(
    ({ campaignId }) => campaignId === mail.campaignId,
  )
  const { merchantId, shard, kind } = mail
  const data = {
    playerId: told.playerId,
    messageId: mail.mailId,
    kind,
    ...campaignOf({ slug: campaign?.slug ?? 'main' }),
  }
  const base = { merchantId, shard, at: now }
  await insertEvents(tx, [
    outcome.state === 'sent'
      ? { ...base, type: 'message.sent', data }
      : { ...base, type: 'message.failed', data: { ...data, reason: outcome.reason ?? outcome.state } },
  ])
}

/** A full mailbox is dead after three mails in 30 days; one that refuses without a reason, on the second day. */
async function isDead(
  tx: Transaction,
  { shard, playerNo }: DueMail,
  { outcome: { verdict, state }, now }: { outcome: Outcome; now: Date },
): Promise<boolean> {
  if (verdict === 'address_dead') return true
  if (state !== 'refused') return false
  if (verdict !== 'mailbox_full' && verdict !== 'address_doubtful') return false
  const since = new Date(now.getTime() - 30 * 86_400_000)
  const days = (await listRefusals(tx, { shard, playerNo, reason: verdict, since })).map((at) =>
    at.toISOString().slice(0, 10),
  )
  return verdict === 'mailbox_full' ? days.length >= 3 : new Set(days).size >= 2
}
