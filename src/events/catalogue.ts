import { type Static, type TProperties, Type } from 'typebox'
import { eventFieldSchemas } from '../prize-field-schemas.ts'
import { prizeKindNames } from '../prize-kinds.ts'
import type { EventType } from './event-types.ts'

/**
 * The schema of every type of event. It types the code that writes events, checks written events in tests, and generates
 * `docs/events.md`. Types and fields are only ever added.
 */

const PlayerId = Type.String({ description: 'Your identifier of the player.', examples: ['alice'] })
const PlayId = Type.String({
  format: 'uuid',
  description: 'The id of the play.',
  examples: ['0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a70'],
})
const PrizeId = Type.String({ description: 'The id of the prize on its wheel.', examples: ['coffee'] })
const Label = Type.String({ description: 'What stands on the wheel.', examples: ['Free coffee'] })
const PrizeKind = Type.Enum(prizeKindNames, {
  description: 'What sort of prize it is, as in the wheel document.',
  examples: ['pool'],
})
const Wheel = Type.String({ description: 'The id of the wheel.', examples: ['main'] })
const WheelVersion = Type.Integer({ minimum: 1, description: 'The version of the wheel.', examples: [3] })
const Amount = (description: string) => Type.Integer({ minimum: 1, description, examples: [5] })
const OldBalance = Type.Integer({
  minimum: 0,
  description: 'The spins that the player had before.',
  examples: [2],
})
const NewBalance = Type.Integer({
  minimum: 0,
  description: 'The spins that the player has after it.',
  examples: [7],
})
const Moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-12-01T12:00:00.000Z'] })
const LinkId = Type.String({
  description: 'The id of the link. The link itself is never in an event.',
  examples: ['0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71'],
})
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const won = { playerId: PlayerId, playId: PlayId, prizeId: PrizeId }
const By = Type.String({ description: 'Who did it.', examples: ['token:acme-3f9c'] })
const Giver = Type.String({
  description: 'Who did it by hand. Missing where your own system did.',
  examples: ['staff:anna@example.com'],
})
const settled = { ...won, by: Type.Optional(By) }
const stock = {
  wheel: Wheel,
  prizeId: PrizeId,
  label: Label,
  left: Type.Integer({ minimum: 0, description: 'How many are left.', examples: [3] }),
}
const token = {
  tokenId: Type.String({
    description: 'The identifier of the service token: the part before the colon.',
    examples: ['acme-3f9c'],
  }),
  name: Type.String({ description: 'What the token is for.', examples: ['shop server'] }),
  scopes: Type.Array(Type.String(), { description: 'What it may do.', examples: [['spins', 'links']] }),
}

export const catalogue = {
  'player.created': about('A player is known for the first time.', { playerId: PlayerId }),
  'spins.granted': about('A player got spins.', {
    playerId: PlayerId,
    amount: Amount('How many.'),
    kind: Type.Enum(['grant', 'initial', 'prize'], {
      description:
        '`grant`: increaseSpin, a batch, or by hand; `initial`: the first game link; `prize`: won in a play.',
      examples: ['grant'],
    }),
    oldBalance: OldBalance,
    newBalance: NewBalance,
    idempotencyKey: nullable(
      Type.String({ examples: ['order-4711'] }),
      'The key that came with the request; null where there was none.',
    ),
    reason: nullable(Type.String({ examples: ['a bad day'] }), 'What was noted with it, if anything.'),
    by: Type.Optional(Giver),
  }),
  'spins.corrected': about("Somebody has put a player's balance right by hand.", {
    playerId: PlayerId,
    amount: Type.Integer({ description: 'Spins that were added, or below zero taken away.', examples: [-2] }),
    oldBalance: OldBalance,
    newBalance: NewBalance,
    reason: Type.String({ description: 'Why.', examples: ['shown twice'] }),
    by: Type.Optional(By),
  }),
  'spins.expired': about('Spins that a player had not used in time are gone.', {
    playerId: PlayerId,
    amount: Amount('How many.'),
    oldBalance: OldBalance,
    newBalance: NewBalance,
  }),
  'link.created': about('A game link was made.', {
    playerId: PlayerId,
    linkId: LinkId,
    expiresAt: Moment('From then on the link is dead.'),
    by: Type.Optional(Giver),
  }),
  'link.opened': about(
    'A player opened its game link. It may do so again and again; a page that lost the answer and asked again is told twice.',
    {
      playerId: PlayerId,
      linkId: LinkId,
    },
  ),
  'player.limited': about(
    'A player asked for more than its pace allows and was refused: a program may be playing. Told once a minute by each server process. Block the player, revoke its links, or ask it to prove itself before its next link.',
    {
      playerId: PlayerId,
      limit: Type.Enum(['plays', 'sessions'], {
        description: 'Whether it was spins, or openings of links.',
        examples: ['plays'],
      }),
      perMinute: Type.Integer({ minimum: 1, description: 'How many it may.', examples: [120] }),
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
    won: Type.Boolean({ description: 'Whether that is a prize.', examples: [true] }),
    prize: nullable(Type.Object({ prizeId: PrizeId, kind: PrizeKind, label: Label }), 'What was won, if so.'),
    fallbackReason: nullable(
      Type.Enum(['out_of_stock', 'out_of_stock_today', 'player_limit', 'not_winnable_now'], {
        examples: ['out_of_stock'],
      }),
      'Why the published fallback stood in for the drawn prize; null where it did not.',
    ),
    oldBalance: OldBalance,
    newBalance: Type.Integer({
      minimum: 0,
      description: 'The spins that the player has after it: less the one played, plus any that were won.',
      examples: [1],
    }),
  }),
  'prize.won': about('A player has won a prize.', {
    ...won,
    wheel: Wheel,
    label: Label,
    kind: PrizeKind,
    ...eventFieldSchemas,
    claimBefore: nullable(Moment(''), 'Until when it can be claimed; null for ever.'),
  }),
  'prize.claimed': about('A player has claimed a prize.', settled),
  'prize.redeemed': about('A prize was handed over or used.', settled),
  'prize.cancelled': about('A prize was taken back.', {
    ...settled,
    reason: Type.Optional(Type.String({ description: 'What was noted with it.', examples: ['fraud'] })),
  }),
  'prize.expired': about('A prize was not claimed in time.', won),
  'prize.stock_low': about('Few of a prize are left.', stock),
  'prize.stock_out': about('The last one of a prize was won.', stock),
  'wheel.published': about('A version of a wheel was published.', { wheel: Wheel, version: WheelVersion }),
  'wheel.paused': about('A wheel was paused: nobody can play it.', { wheel: Wheel }),
  'wheel.resumed': about('The pause of a wheel is over.', { wheel: Wheel }),
  'token.issued': about('A service token was issued.', {
    ...token,
    expiresAt: nullable(Moment(''), 'From then on it is dead; null never.'),
  }),
  'token.revoked': about('A service token was revoked.', {
    ...token,
    deadFrom: Moment('From then on it is dead: later than the event where a token was rotated.'),
  }),
  'webhook.disabled': about('A webhook gets no more events until somebody resumes it.', {
    webhookId: Type.String({ description: 'The id of the webhook.', examples: ['wh_1'] }),
    url: Type.String({
      description: 'Its address, without the query and with long parts of the path cut: they may hold keys.',
      examples: ['https://shop.example/hooks?…'],
    }),
    reason: Type.String({ description: 'Why it was disabled.', examples: ['answered 410 Gone'] }),
  }),
  'webhook.test': about(
    'Somebody asked for a test event. It is sent to one webhook at once, whatever its types are. It is not in the log: its `seq` is 0, and it can be neither pulled nor filtered for.',
    {},
  ),
} satisfies Record<EventType, unknown>

export type EventData<T extends EventType = EventType> = Static<(typeof catalogue)[T]['data']>

function about<Fields extends TProperties>(title: string, fields: Fields) {
  return { title, data: Type.Object(fields, { additionalProperties: false }) }
}
