import { type Static, Type } from 'typebox'
import type { ListedMail } from '../../mails/mail-lists.ts'
import {
  type MessageKind,
  messageKinds,
  type MessageTexts,
  textLengthMax,
} from '../../messages/message-texts.ts'
import type { DeadAddress } from '../../messages/dead-addresses.ts'
import { CampaignId } from './campaigns.ts'
import { slugPattern } from '../../slug.ts'
import { type Page, PageOf } from './page.ts'
import { MaybeTime, nullable, PlayerId, Time } from './shapes.ts'

const languagePattern = '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$'

const Texts = Type.Record(
  Type.String({ pattern: languagePattern }),
  Type.Object({
    subject: Type.String({ minLength: 1, maxLength: textLengthMax.subject, description: 'One line.' }),
    lead: Type.String({
      minLength: 1,
      maxLength: textLengthMax.lead,
      description: 'The text above the prize.',
    }),
  }),
  {
    maxProperties: 30,
    description:
      'Your own texts by language; for others, ours are used. `{merchant}`, `{prize}` or `{spins}`, and `{lastDay}` are filled in. Control characters are removed.',
  },
)

const Kind = (description: string) => Type.Object({ isOn: Type.Boolean({ description }), texts: Texts })

const marketing = 'Only players who have agreed to marketing get it, and not at night.'
const kinds = {
  won: Kind('Whether a player gets a message about a prize that it has won.'),
  claim_ends: Kind('Whether a player is reminded before the last day of a prize.'),
  spins_waiting: Kind(`Whether a player who has not played for a day is told about its spins. ${marketing}`),
  spins_expire: Kind(`Whether a player is told before spins expire. ${marketing}`),
} satisfies Record<MessageKind, unknown>

const replyTo = nullable(Type.String({ maxLength: 254, description: 'Where answers of players go.' }))

export const MessageSettingsBody = Type.Object(
  {
    replyTo,
    kinds: Type.Partial(Type.Object(kinds), { description: 'One that is missing is switched off.' }),
  },
  { title: 'MessageSettings' },
)
export const MessageSettingsAnswer = Type.Object(
  { replyTo, kinds: Type.Object(kinds), revision: Type.Integer({ minimum: 0 }) },
  { title: 'MessageSettingsAnswer' },
)

const ownTexts = { won: Texts, claim_ends: Texts, spins_waiting: Texts, spins_expire: Texts }

export const MessageTextsBody = Type.Object(
  { kinds: Type.Partial(Type.Object(ownTexts), { description: 'One that is missing has no own texts.' }) },
  { title: 'MessageTexts' },
)
export const MessageTextsAnswer = Type.Object(
  { kinds: Type.Object(ownTexts), revision: Type.Integer({ minimum: 0 }) },
  { title: 'MessageTextsAnswer' },
)

export const MessageExampleBody = Type.Object(
  {
    kind: Type.Enum([...messageKinds, 'address_code'], {
      description: '`address_code`: the code that proves an address, which has no own texts.',
    }),
    language: Type.String({ pattern: languagePattern, examples: ['de'] }),
    campaign: Type.Optional(
      Type.String({ pattern: slugPattern, description: "Without one, with the merchant's texts alone." }),
    ),
    texts: Type.Optional(
      Type.Unsafe<MessageTexts>({
        ...Texts,
        description: 'Texts that are not saved, instead of those of the campaign or the merchant.',
      }),
    ),
  },
  { title: 'MessageExampleBody' },
)
export type ExampleBody = Static<typeof MessageExampleBody>

export const MessageExampleAnswer = Type.Object(
  {
    fromName: Type.String({ description: "The name beside the operator's address." }),
    subject: Type.String(),
    text: Type.String(),
    html: Type.String(),
  },
  { title: 'MessageExample' },
)

export const TestMessageAnswer = Type.Object({ to: Type.String() }, { title: 'TestMessage' })

export const MessageStopAnswer = Type.Object({ stoppedAt: MaybeTime }, { title: 'MessageStop' })

export const Message = Type.Object(
  {
    id: Type.String(),
    playerId: nullable(PlayerId),
    campaign: CampaignId,
    kind: Type.Enum([...messageKinds]),
    state: Type.Enum(['planned', 'sending', 'sent', 'refused', 'unknown', 'dropped'], {
      description: '`unknown`: the SMTP server has not answered, and nobody knows whether it arrived.',
    }),
    plannedAt: Time,
    dueAt: MaybeTime,
    settledAt: MaybeTime,
    tries: Type.Integer({ minimum: 0 }),
    reason: nullable(Type.String({ description: 'The verdict on the last reply, or why it was dropped.' })),
    reply: nullable(Type.String({ description: 'The codes of the last reply.', examples: ['550 5.1.1'] })),
  },
  { title: 'Message' },
)
export const MessagesAnswer = PageOf('messages', Message)

export function shownMessage(mail: ListedMail): Static<typeof Message> {
  const { mailId: id, playerId, campaign, kind, state, tries, reason, reply } = mail
  return {
    id,
    playerId,
    campaign,
    kind,
    state,
    plannedAt: mail.plannedAt.toISOString(),
    dueAt: mail.dueAt?.toISOString() ?? null,
    settledAt: mail.settledAt?.toISOString() ?? null,
    tries,
    reason,
    reply,
  }
}

export const DeadAddressAnswer = Type.Object(
  {
    id: Type.String(),
    address: nullable(
      Type.String({
        description: 'Null if it is not known any more: the player has another one now, or was erased.',
      }),
    ),
    playerId: nullable(PlayerId),
    reason: Type.String({ description: 'The verdict that it was given up for.', examples: ['address_dead'] }),
    deadAt: Time,
  },
  { title: 'DeadAddress' },
)
export const DeadAddressesAnswer = PageOf('deadAddresses', DeadAddressAnswer)

export function shownDeadAddress({ deadAt, ...rest }: DeadAddress): Static<typeof DeadAddressAnswer> {
  return { ...rest, deadAt: deadAt.toISOString() }
}

export const ContactBody = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, examples: ['alice@example.com'] }),
    language: Type.Optional(Type.String({ pattern: languagePattern, examples: ['de'] })),
    agreedToMarketingAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When the person agreed to marketing by mail. It counts until the person unsubscribes; then only a later time counts.',
        examples: ['2026-11-01T12:00:00Z'],
      }),
    ),
  },
  { title: 'ContactBody' },
)
export const ContactAnswer = Type.Object(
  { email: Type.String(), language: nullable(Type.String()), agreedToMarketingAt: MaybeTime, setAt: Time },
  { title: 'Contact' },
)

export type MessageSettingsAnswer = Static<typeof MessageSettingsAnswer>
export type MessageStopAnswer = Static<typeof MessageStopAnswer>
export type MessagesAnswer = Page<'messages', Static<typeof Message>>
export type DeadAddressesAnswer = Page<'deadAddresses', Static<typeof DeadAddressAnswer>>
export type MessageTextsAnswer = Static<typeof MessageTextsAnswer>
export type MessageExampleAnswer = Static<typeof MessageExampleAnswer>
