import { campaignOf } from '../campaign-ref.ts'
import type { SigningKeys } from '../crypto/signing-keys.ts'
import type { Database, Transaction } from '../db/database.ts'
import { labelIn } from '../entries/form.ts'
import { insertEvents } from '../events/event-pages.ts'
import { isForStaff, isMarketing, type MarketingKind, type PlayerKind } from '../mails/mail-kinds.ts'
import { findMail } from '../mails/mail-lists.ts'
import { type DueMail, listRefusals } from '../mails/mail-rows.ts'
import type { Composed } from '../mails/mail-sender.ts'
import type { Outcome } from '../mails/settle-reply.ts'
import { type Merchant, readMerchantByNumber } from '../merchants/merchants.ts'
import { timeOfMerchant } from '../merchants/test-clocks.ts'
import { readPlaysById } from '../plays/plays.ts'
import { textsOfPrize } from '../plays/describe-play.ts'
import { playsToClaim } from '../plays/withheld-prizes.ts'
import { findPlayer, type Player } from '../players/players.ts'
import { prizeNumber } from '../prize-kinds/prize-number.ts'
import { type ListedPrize, readPrizes } from '../prizes/prize-lists.ts'
import { listStaffOfMerchant } from '../staff/staff.ts'
import { isTest } from '../test-clock.ts'
import { walletTokenInMail } from '../wallet/wallet-claims.ts'
import type { PublishedWheels } from '../wheels/published-wheels.ts'
import type { PrizeMailData } from './plan-messages.ts'
import { gameLinkInMail, readOpenCampaign, spinsToTell, timeZoneOf } from './compose-spins.ts'
import { readMerchantTexts } from './merchant-texts.ts'
import { listMessageSettings, type MessageSettings } from './message-settings.ts'
import type { MessageTexts } from './message-texts.ts'
import { endOfNight } from './quiet-hours.ts'
import { agrees, findRecipient, isSuppressed, type Recipient, suppress } from './recipients.ts'
import { renderMessage } from './render-message.ts'
import { sentTo, unsubscribeToken } from './unsubscribe.ts'

/** What the composition of messages needs. */
export type ComposeNeeds = {
  db: Database
  now: () => Date
  gameUrl: string
  linkKeys: SigningKeys
  wheels: PublishedWheels
}

/**
 * What is sent now. Everything is looked up at this moment: settings, address, consent, and what became of the prize or
 * the spins.
 */
export async function composeMail(ctx: ComposeNeeds, mail: PlayerMail, now: Date): Promise<Composed> {
  const merchant = await readMerchantByNumber(ctx.db, mail.merchantId)
  if (merchant === undefined) return { dropped: 'merchant_gone' }
  const all = await listMessageSettings(ctx.db, mail.merchantId)
  const found = all.find(({ campaignId }) => campaignId === mail.campaignId)
  if (!found?.settings.kinds[mail.kind].isOn) return { dropped: 'switched_off' }
  const own = found.settings.kinds[mail.kind].texts
  const layers = [own, (await readMerchantTexts(ctx.db, mail.merchantId)).kinds[mail.kind]]
  const order = { mail, merchant, slug: found.slug, settings: found.settings, layers, now }
  return isMarketing(mail.kind) ? composeSpinMail(ctx, order, mail.kind) : composePrizeMail(ctx, order)
}

type PlayerMail = DueMail & { kind: PlayerKind }
type Order = {
  mail: PlayerMail
  merchant: Merchant
  slug: string
  settings: MessageSettings
  /** The texts of the campaign, and of the merchant. */
  layers: readonly MessageTexts[]
  now: Date
}

async function composePrizeMail(ctx: ComposeNeeds, order: Order): Promise<Composed> {
  const { mail, merchant, settings, layers, now } = order
  const { playerNo, merchantId, kind } = mail
  const prize = await findPrize(ctx.db, { mail, playerNo, now })
  if (prize === undefined) return { dropped: 'prize_gone' }
  const { isHeld = false } = mail.data as PrizeMailData
  if (!isToTell(prize, { kind, isHeld })) return { dropped: `prize_${prize.state}` }
  const player = await findPlayer(ctx.db, { merchantId, playerId: prize.playerId }, now)
  const recipient = await reachable(ctx.db, merchant, player)
  if ('dropped' in recipient) return recipient
  const token = await walletTokenInMail(ctx.db, merchant, {
    player: recipient.player,
    linkId: mail.mailId,
    now,
    key: await ctx.linkKeys.newest(),
  })
  const link = `${ctx.gameUrl}/wallet/?token=${token}`
  const facts = { ...(await factsOf(ctx, prize, recipient.language)), merchant: merchant.name, link }
  const { language } = recipient
  const told = { ...facts, timeZone: merchant.timeZone, isHeld }
  const message = renderMessage(kind, { language, layers, facts: told })
  return { mail: { to: recipient.address, replyTo: settings.replyTo ?? undefined, ...message } }
}

/** Whether a message about a prize is still right: that it is checked, or that it can be used. */
function isToTell(
  { state }: ListedPrize,
  { kind, isHeld }: { kind: DueMail['kind']; isHeld: boolean },
): boolean {
  if (isHeld) return state === 'held'
  return state === 'won' || (state === 'claimed' && kind === 'won')
}

async function composeSpinMail(ctx: ComposeNeeds, order: Order, kind: MarketingKind): Promise<Composed> {
  const { mail, merchant, slug, settings, layers, now } = order
  const { db, gameUrl } = ctx
  const { merchantId } = merchant
  const playerId = (await findMail(db, mail.mailId))?.playerId ?? ''
  const found = await reachable(db, merchant, await findPlayer(db, { merchantId, playerId }, now))
  if ('dropped' in found) return found
  const { address, language, player } = found
  if (!(await agrees(db, merchant, found))) return { dropped: 'no_consent' }
  const campaign = await readOpenCampaign(db, { merchantId, slug }, now)
  if (campaign === undefined) return { dropped: 'campaign_closed' }
  const told = await spinsToTell(db, kind, { campaign, mail, merchant, player, now })
  if (!('spins' in told)) return told
  const morning = endOfNight(now, await timeZoneOf(db, merchant, player))
  if (morning !== undefined) return { postponedTo: morning }
  const link = await gameLinkInMail(ctx, campaign, { mail, merchant, player, now })
  const unsubscribe = `${gameUrl}/u/${unsubscribeToken(mail)}`
  const facts = { ...told, merchant: merchant.name, link, unsubscribe, timeZone: merchant.timeZone }
  const message = renderMessage(kind, { language, layers, facts })
  return {
    remember: await sentTo(db, merchant, address),
    mail: {
      to: address,
      replyTo: settings.replyTo ?? undefined,
      ...message,
      headers: {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'List-Id': `<${merchant.slug}.${new URL(gameUrl).hostname}>`,
      },
    },
  }
}

/** Where a player gets messages; or why it gets none. */
async function reachable(
  db: Database,
  merchant: Merchant,
  player: Player | undefined,
): Promise<{ dropped: string } | (Recipient & { player: Player })> {
  if (player === undefined || player.erasedAt !== null) return { dropped: 'player_erased' }
  if (player.blockedAt !== null) return { dropped: 'player_blocked' }
  const recipient = await findRecipient(db, { ...player, merchantId: merchant.merchantId })
  if (recipient === undefined) return { dropped: 'no_address' }
  if (await isSuppressed(db, merchant, recipient)) return { dropped: 'address_dead' }
  if (!(await mayReach(db, merchant, recipient.address))) return { dropped: 'test_merchant' }
  return { ...recipient, player }
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
  const code = prize.kind === 'handover' && prize.state !== 'held' ? number : (prize.code ?? null)
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
  ctx: Pick<ComposeNeeds, 'now'>,
  tx: Transaction,
  { mail, outcome }: { mail: DueMail; outcome: Outcome & { to: string | undefined } },
): Promise<void> {
  const { merchantId, shard, kind } = mail
  if (outcome.state === 'planned' || isForStaff(kind)) return
  const now = await timeOfMerchant({ db: tx, now: ctx.now }, mail.merchantId)
  if (outcome.to !== undefined && (await isDead(tx, mail, { outcome, now }))) {
    const merchant = await readMerchantByNumber(tx, mail.merchantId)
    if (merchant !== undefined)
      await suppress(tx, merchant, {
        address: outcome.to,
        scope: 'all',
        reason: outcome.reason ?? 'dead',
        now,
        player: mail,
      })
  }
  if (outcome.state === 'dropped') return
  const told = await findMail(tx, mail.mailId)
  if (told === undefined || told.playerId === null) return
  const campaign = (await listMessageSettings(tx, mail.merchantId)).find(
    ({ campaignId }) => campaignId === mail.campaignId,
  )
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
