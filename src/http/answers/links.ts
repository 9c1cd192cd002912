import { type Static, Type } from 'typebox'
import { linkLifetimeSecondsMax, linkLifetimeSecondsMin, spinNumberCeiling } from '../../limits.ts'
import type { GameLink } from '../../links/game-links.ts'
import { slugPattern } from '../../slug.ts'
import { PlayerId, Time } from './shapes.ts'
import { type Page, PageOf } from './page.ts'
import { languagePattern } from '../../text-patterns.ts'

export const LinkBody = Type.Object({
  playerId: PlayerId,
  campaign: Type.Optional(
    Type.String({
      pattern: `^\\*$|${slugPattern}`,
      description:
        'The campaign that the link opens; by default the one that the token is bound to, or `main`. `*` for the lobby, with a card for each campaign.',
      examples: ['main'],
    }),
  ),
  initialSpins: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: spinNumberCeiling,
      description: 'Spins for a newcomer to the campaign: granted once per player and campaign.',
      examples: [3],
    }),
  ),
  language: Type.Optional(
    Type.String({
      pattern: languagePattern,
      description: "The language of the page (BCP 47). By default that of the player's browser.",
      examples: ['de'],
    }),
  ),
  expiresIn: Type.Optional(
    Type.Integer({
      minimum: linkLifetimeSecondsMin,
      maximum: linkLifetimeSecondsMax,
      description: "How many seconds the link is valid; by default the merchant's setting.",
      examples: [3600],
    }),
  ),
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        "The player's time zone, for free spins by the days of the player. By default that of the browser.",
      examples: ['Europe/Berlin'],
    }),
  ),
})

export const WalletLinkBody = Type.Object({
  campaign: Type.Optional({
    ...LinkBody.properties.campaign,
    description:
      'The only campaign whose prizes the wallet shows; by default the one that the token is bound to, or `*` for all.',
  }),
  language: LinkBody.properties.language,
})

export const LinkAnswer = Type.Object(
  {
    link: Type.String({ format: 'uri' }),
    token: Type.String({ description: 'Signed token of the link, which contains it.' }),
    linkId: Type.String(),
    campaign: Type.String({ description: '`*` for the lobby.' }),
    expiresAt: Time,
  },
  { title: 'CampaignLink' },
)
export type LinkAnswer = Static<typeof LinkAnswer>

export function shownLink(made: GameLink, language: string | undefined): LinkAnswer {
  const { link, token, claims } = made
  return {
    link: language === undefined ? link : `${link}&lang=${language}`,
    token,
    linkId: claims.linkId,
    campaign: claims.campaign,
    expiresAt: claims.expiresAt.toISOString(),
  }
}

export const LiveLink = Type.Object(
  {
    linkId: Type.String(),
    createdAt: Time,
    expiresAt: Time,
    campaign: Type.String({ description: 'The campaign that it opens; `*` for the lobby.' }),
    opens: Type.Enum(['game', 'wallet']),
  },
  { title: 'LiveLink' },
)
export type LiveLink = Static<typeof LiveLink>

export const LiveLinksAnswer = PageOf('links', LiveLink)
export type LiveLinksAnswer = Page<'links', LiveLink>

export const RevokedLink = Type.Object({ linkId: Type.String(), revokedAt: Time }, { title: 'RevokedLink' })
export type RevokedLink = Static<typeof RevokedLink>

export const RevokedLinksAnswer = PageOf('links', RevokedLink)
export type RevokedLinksAnswer = Page<'links', RevokedLink>

export const RevocationAnswer = Type.Object({ linkId: Type.String() })
export type RevocationAnswer = Static<typeof RevocationAnswer>

export function shownLiveLink({
  createdAt,
  expiresAt,
  ...link
}: Omit<LiveLink, 'createdAt' | 'expiresAt'> & { createdAt: Date; expiresAt: Date }): LiveLink {
  return { ...link, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}

export function shownRevokedLink({ linkId, revokedAt }: { linkId: string; revokedAt: Date }): RevokedLink {
  return { linkId, revokedAt: revokedAt.toISOString() }
}
