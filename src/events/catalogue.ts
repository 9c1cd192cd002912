import { type Static, type TProperties, Type } from 'typebox'
import { eventFieldSchemas } from '../prize-kinds/prize-field-schemas.ts'
import { fallbackReasons } from '../fairness/fallback-reasons.ts'
import { entryFields, entryTitles } from './entry-events.ts'
import {
  By,
  Campaign,
  Label,
  Moment,
  nullable,
  PlayerId,
  PlayId,
  PrizeId,
  PrizeKind,
  Wheel,
} from './event-fields.ts'
import type { EventType } from './event-types.ts'
import { holdFields, holdTitles } from './hold-events.ts'
import { failedFields, messageFields, messageTitles } from './message-events.ts'
import { tokenFields } from './token-fields.ts'
import { streakFields, streakTitle } from './streak-event.ts'

/**
 * The schema of every type of event. It types the code that writes events, checks written events in tests, and
 * generates `docs/events.md`. Types and fields are only ever added.
 */

const WheelVersion = Type.Integer({ minimum: 1, description: 'The version of the wheel.', examples: [3] })
const Amount = (description: string) => Type.Integer({ minimum: 1, description, examples: [5] })
const OldBalance = Type.Integer({
  minimum: 0,
  description: 'The spins that the player had before.',
  examples: [2],
})
const NewBalance = Type.Integer({
  minimum: 0,
  description: 'The spins that the player has now.',
  examples: [7],
})
const Lot = Type.Integer({
  minimum: 1,
  description: "The number of the ledger entry that granted them, among the player's entries.",
  examples: [12],
})
const LinkId = Type.String({
  description: 'The id of the link. The link itself is never in an event.',
  examples: ['0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71'],
})
const won = { playerId: PlayerId, playId: PlayId, prizeId: PrizeId }
const LinkCampaign = Type.Optional(
  Type.String({
    description: 'The id of the campaign, or `*` for the lobby. Missing for `main`.',
    examples: ['summer'],
  }),
)
const CampaignId = Type.String({
  description: 'The id of the campaign; also `main`.',
  examples: ['summer'],
})
const OpensAt = nullable(Moment(''), 'From when on spins can be used; null for no limit.')
const ClosesAt = nullable(Moment(''), 'Until when; null for no limit.')
const campaign = {
  campaign: CampaignId,
  name: Type.String({ description: 'The name of the campaign.', examples: ['Summer sale'] }),
  wheel: Wheel,
  purse: Type.String({
    description:
      'The id of the campaign that its spins belong to: its own, or that of the one it shares with.',
    examples: ['summer'],
  }),
  opensAt: OpensAt,
  closesAt: ClosesAt,
}
const Giver = Type.String({
  description: 'Who did it by hand. Missing if your own system did it.',
  examples: ['staff:anna@example.com'],
})
const GivenReason = (example: string) =>
  Type.Optional(Type.String({ description: 'The reason that was given.', examples: [example] }))
const settled = { ...won, by: Type.Optional(By), campaign: Campaign }
const stock = {
  wheel: Wheel,
  prizeId: PrizeId,
  label: Label,
  left: Type.Integer({ minimum: 0, description: 'How many are left.', examples: [3] }),
}

export const catalogue = {
  'player.created': about('A player was created.', { playerId: PlayerId }),
  'spins.granted': about('A player got spins.', {
    playerId: PlayerId,
    amount: Amount('How many.'),
    kind: Type.Enum(['grant', 'initial', 'prize', 'free', 'entry'], {
      description:
        '`grant`: increaseSpin, a batch, or by hand; `initial`: the first game link; `prize`: won in a play; `free`: a free spin that was collected; `entry`: a visitor entered.',
      examples: ['grant'],
    }),
    oldBalance: OldBalance,
    newBalance: NewBalance,
    idempotencyKey: nullable(
      Type.String({ examples: ['order-4711'] }),
      'The idempotency key of the request; null if it had none.',
    ),
    reason: nullable(Type.String({ examples: ['a bad day'] }), 'The reason that was given, if any.'),
    by: Type.Optional(Giver),
    campaign: Campaign,
    expiresAt: Type.Optional(Moment('When the spins expire. Missing if they never do.')),
  }),
  'spins.corrected': about("A player's balance was corrected by hand.", {
    playerId: PlayerId,
    amount: Type.Integer({ description: 'Spins that were added; below zero: removed.', examples: [-2] }),
    oldBalance: OldBalance,
    newBalance: NewBalance,
    reason: Type.String({ description: 'Why.', examples: ['shown twice'] }),
    by: Type.Optional(By),
    campaign: Campaign,
  }),
  'spins.expiring': about(
    "Some of a player's spins will expire soon. Once for each grant, the merchant's `spinExpiryNoticeHours` before.",
    {
      playerId: PlayerId,
      lot: Lot,
      amount: Amount('How many of them are left.'),
      expiresAt: Moment('When they expire.'),
      balance: NewBalance,
      campaign: Campaign,
    },
  ),
  'spins.expired': about("Some of a player's spins expired: what was left of one grant.", {
    playerId: PlayerId,
    amount: Amount('How many.'),
    oldBalance: OldBalance,
    newBalance: NewBalance,
    lot: Type.Optional(Lot),
    expiresAt: Type.Optional(
      Moment('When they expired. The event may be later: it is sent when this is noticed.'),
    ),
    campaign: Campaign,
  }),
  'streak.changed': about(streakTitle, { playerId: PlayerId, ...streakFields, campaign: Campaign }),
  'entry.created': about(entryTitles.created, entryFields.created),
  'entry.verified': about(entryTitles.verified, entryFields.verified),
  'entry.refused': about(entryTitles.refused, entryFields.refused),
  'entry.answered': about(entryTitles.answered, entryFields.answered),
  'consent.withdrawn': about(entryTitles.withdrawn, entryFields.withdrawn),
  'link.created': about('A link to the game, or to the wallet, was created.', {
    playerId: PlayerId,
    linkId: LinkId,
    expiresAt: Moment('When the link expires.'),
    by: Type.Optional(Giver),
    campaign: LinkCampaign,
    opens: Type.Optional(
      Type.Literal('wallet', {
        description: 'What the link opens, if it is not the game.',
        examples: ['wallet'],
      }),
    ),
  }),
  'link.opened': about(
    'A player opened its game link. A link can be opened many times. A page that stays open and asks for news causes no further event; one that repeats its first request after a lost answer causes two.',
    {
      playerId: PlayerId,
      linkId: LinkId,
      campaign: LinkCampaign,
    },
  ),
  'player.limited': about(
    'A player exceeded a rate limit and was refused; it may be a bot. At most one event per minute and server process. Block the player, revoke its links, or verify the player before the next link.',
    {
      playerId: PlayerId,
      limit: Type.Enum(['plays', 'sessions'], {
        description: 'The limit: plays, or openings of links.',
        examples: ['plays'],
      }),
      perMinute: Type.Integer({ minimum: 1, description: 'The limit, per minute.', examples: [120] }),
    },
  ),
  'player.blocked': about('A player was blocked from spins, links and plays.', {
    playerId: PlayerId,
    by: By,
  }),
  'player.unblocked': about('The block of a player ended.', { playerId: PlayerId, by: By }),
  'play.completed': about('A player has spun the wheel.', {
    playerId: PlayerId,
    playId: PlayId,
    playNo: Type.Integer({ minimum: 1, description: 'Counts the plays of this player.', examples: [12] }),
    wheel: Wheel,
    wheelVersion: WheelVersion,
    segment: Type.Integer({
      minimum: 0,
      description: 'Where the wheel came to rest: the place in the list of segments, from 0.',
      examples: [4],
    }),
    label: Label,
    won: Type.Boolean({ description: 'Whether the player won a prize.', examples: [true] }),
    prize: nullable(
      Type.Object({ prizeId: PrizeId, kind: PrizeKind, label: Label }),
      'The prize; null if none was won.',
    ),
    fallbackReason: nullable(
      Type.Enum([...fallbackReasons], {
        examples: ['out_of_stock'],
      }),
      'Why the fallback replaced the drawn prize; null if it did not.',
    ),
    oldBalance: OldBalance,
    newBalance: Type.Integer({
      minimum: 0,
      description: 'The spins that the player has now: minus the one played, plus any that were won.',
      examples: [1],
    }),
    campaign: Campaign,
  }),
  'play.refused': about(
    'A play was refused after the page had sent its seed. Nothing was played. A few are normal, such as when a wheel is published or paused while people play; many of one player are worth a look.',
    {
      playerId: PlayerId,
      playId: PlayId,
      reason: Type.Enum(['play_outdated', 'wheel_paused', 'wheel_closed', 'no_spins'], {
        description: 'The code of the refusal.',
        examples: ['play_outdated'],
      }),
    },
  ),
  'prize.held': about(holdTitles.held, holdFields.held),
  'prize.released': about(holdTitles.released, settled),
  'prize.refused': about(holdTitles.refused, { ...settled, ...holdFields.refused }),
  'prize.won': about('A player has won a prize. One that was held: it was released.', {
    ...won,
    wheel: Wheel,
    label: Label,
    kind: PrizeKind,
    ...eventFieldSchemas,
    claimBefore: nullable(Moment(''), 'The end of the claim period; null if there is none.'),
    campaign: Campaign,
  }),
  'prize.claimed': about('A prize was claimed for a player, by a token or a person.', settled),
  'prize.redeemed': about('A prize was handed over or used.', settled),
  'prize.redemption_reversed': about('A redemption was taken back. The prize is claimed and open again.', {
    ...settled,
    reason: GivenReason('wrong customer'),
  }),
  'prize.cancelled': about('A prize was cancelled.', { ...settled, reason: GivenReason('fraud') }),
  'prize.expired': about('A prize was not claimed in time.', { ...won, campaign: Campaign }),
  'prize.stock_low': about(
    'A tenth of the stock of a prize is left, rounded down. Not for a stock below 10.',
    stock,
  ),
  'prize.stock_out': about('The stock of a prize is empty.', stock),
  'wheel.published': about('A version of a wheel was published.', { wheel: Wheel, version: WheelVersion }),
  'wheel.paused': about('A wheel was paused. Players cannot play it.', { wheel: Wheel }),
  'wheel.resumed': about('The pause of a wheel ended.', { wheel: Wheel }),
  'wheel.drifted': about(
    'A prize was drawn more or less often than chance explains: beyond six standard deviations, over the last 30 days. Checked once a day. Verify the plays: something is wrong.',
    {
      wheel: Wheel,
      prizeId: PrizeId,
      label: Label,
      draws: Type.Integer({ minimum: 0, description: 'How often it was drawn.', examples: [412] }),
      expected: Type.Integer({ minimum: 0, description: 'How often chance draws it.', examples: [250] }),
      from: Moment('The start of the time that was compared.'),
    },
  ),
  'wheel.publication_failed': about(
    'A scheduled publication failed, because the wheel has problems by now. Nothing was published, and it is not tried again.',
    {
      wheel: Wheel,
      publishAt: Moment('When it was to be published.'),
      by: By,
      errors: Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'The field, as a JSON pointer.' }),
          detail: Type.String({ description: 'What is wrong.' }),
        }),
        {
          description: 'The problems.',
          examples: [[{ pointer: '/segments/0/prize/pool', detail: 'has no codes left' }]],
        },
      ),
    },
  ),
  'campaign.created': about('A campaign was created.', { ...campaign, by: By }),
  'campaign.changed': about('The settings of a campaign were changed.', {
    ...campaign,
    changed: Type.Array(Type.String(), {
      description: 'The names of the changed settings.',
      examples: [['name', 'closesAt']],
    }),
    by: By,
  }),
  'campaign.change_failed': about(
    'The scheduled change of a campaign to another wheel failed. Nothing was changed, and it is not tried again.',
    {
      campaign: CampaignId,
      wheel: Type.String({ description: 'The id of the wheel that it was to get.', examples: ['autumn'] }),
      changeAt: Moment('When it was to get it.'),
      by: By,
      reason: Type.String({ description: 'Why it failed.', examples: ['The wheel is not published.'] }),
    },
  ),
  'campaign.paused': about('A campaign was paused. Players cannot play it.', {
    campaign: CampaignId,
    by: By,
  }),
  'campaign.resumed': about('The pause of a campaign ended.', { campaign: CampaignId, by: By }),
  'campaign.opened': about(
    'The time `opensAt` of a campaign has passed, or an ended campaign got a later `closesAt`. The opening hours of its wheel cause no events, nor does a campaign without `opensAt`.',
    { campaign: CampaignId, opensAt: OpensAt, closesAt: ClosesAt },
  ),
  'campaign.closed': about(
    'The time `closesAt` of a campaign has passed. It accepts no more spins, links and plays.',
    { campaign: CampaignId, opensAt: OpensAt, closesAt: ClosesAt },
  ),
  'campaign.archived': about('A campaign was archived. Balances are kept.', { campaign: CampaignId, by: By }),
  'campaign.restored': about('An archived campaign was restored.', { campaign: CampaignId, by: By }),
  'token.issued': about('A service token was issued.', {
    ...tokenFields,
    expiresAt: nullable(Moment(''), 'When it expires; null for never.'),
    campaign: Type.Optional(
      Type.String({ description: 'The campaign that it is bound to, if any.', examples: ['summer'] }),
    ),
  }),
  'token.revoked': about('A service token was revoked.', {
    ...tokenFields,
    deadFrom: Moment('When it stops working. After a rotation, this is later than the event.'),
  }),
  'message.sent': about(messageTitles.sent, { playerId: PlayerId, ...messageFields, campaign: Campaign }),
  'message.failed': about(messageTitles.failed, { playerId: PlayerId, ...failedFields, campaign: Campaign }),
  'webhook.disabled': about('A webhook was disabled. It gets no events until it is resumed.', {
    webhookId: Type.String({ description: 'The id of the webhook.', examples: ['wh_1'] }),
    url: Type.String({
      description:
        'Its URL, without the query and with long parts of the path cut, because they may contain keys.',
      examples: ['https://shop.example/hooks?…'],
    }),
    reason: Type.String({ description: 'Why it was disabled.', examples: ['answered 410 Gone'] }),
  }),
  'webhook.test': about(
    'A test event was requested. It is sent to one webhook at once, whatever its types are. It is not in the log: its `seq` is 0, and it can be neither read nor filtered for.',
    {},
  ),
} satisfies Record<EventType, unknown>

export type EventData<T extends EventType = EventType> = Static<(typeof catalogue)[T]['data']>

function about<Fields extends TProperties>(title: string, fields: Fields) {
  return { title, data: Type.Object(fields, { additionalProperties: false }) }
}
