import { type Static, Type } from 'typebox'
import { listedPlayersMax } from '../../link-list-limits.ts'
import type { LinkList } from '../../links/link-lists.ts'
import { slugPattern } from '../../slug.ts'
import { LinkBody } from './links.ts'
import { MaybeTime, nullable, PlayerId, Time } from './shapes.ts'

export const LinkListBody = Type.Object({
  campaign: Type.String({
    pattern: `^\\*$|${slugPattern}`,
    description: 'The campaign that the links open, or `*` for the lobby.',
    examples: ['main'],
  }),
  language: LinkBody.properties.language,
  expiresIn: LinkBody.properties.expiresIn,
  playerIds: Type.Array(PlayerId, {
    minItems: 1,
    maxItems: listedPlayersMax,
    description: 'Who gets a link. An id that is repeated counts once; unknown players are created.',
  }),
})

export const LinkListAnswer = Type.Object(
  {
    list: Type.String({ format: 'uuid' }),
    campaign: Type.String({ description: '`*` for the lobby.' }),
    language: nullable(Type.String()),
    createdAt: Time,
    createdBy: Type.String({ examples: ['staff:7'] }),
    expiresAt: { ...Time, description: 'The end of all links. The list is deleted then.' },
    finishedAt: { ...MaybeTime, description: 'When the file was complete; null before.' },
    players: Type.Integer({ description: 'Each once.' }),
    made: Type.Integer({ description: 'Links so far.' }),
    refused: Type.Integer({ description: 'Players without a link; the file says why.' }),
  },
  { title: 'LinkList' },
)
export type LinkListAnswer = Static<typeof LinkListAnswer>

export const LinkListsAnswer = Type.Object({ lists: Type.Array(LinkListAnswer) })
export type LinkListsAnswer = Static<typeof LinkListsAnswer>

export const ListedLink = Type.Object({
  playerId: Type.String(),
  link: nullable(Type.String()),
  expiresAt: Time,
  refusal: nullable(Type.String({ description: 'The code of the refusal, if there is no link.' })),
})

export function shownLinkList(found: LinkList): LinkListAnswer {
  const { listId: list, merchantId: _, createdAt, expiresAt, finishedAt, ...rest } = found
  return {
    list,
    ...rest,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}
