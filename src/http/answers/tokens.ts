import { type Static, Type } from 'typebox'
import { scopes } from '../../merchants/scopes.ts'
import type { ServiceTokenRow } from '../../merchants/service-tokens.ts'
import { MaybeTime, Time } from './shapes.ts'
import { type Page, PageOf } from './page.ts'

export const Scope = Type.Enum([...scopes], { title: 'Scope' })

export const TokenAnswer = Type.Object(
  {
    tokenId: Type.String({ description: 'The part before the colon.' }),
    name: Type.String(),
    scopes: Type.Array(Scope),
    createdAt: Time,
    expiresAt: MaybeTime,
    revokedAt: MaybeTime,
    lastUsedAt: MaybeTime,
    campaign: Type.Union([Type.String(), Type.Null()], {
      description:
        'The campaign that it is bound to; null if it is not bound: then increaseSpin and sso mean `main`.',
    }),
  },
  { title: 'ServiceToken' },
)
export type TokenAnswer = Static<typeof TokenAnswer>

export const TokensAnswer = PageOf('tokens', TokenAnswer)
export type TokensAnswer = Page<'tokens', TokenAnswer>

export const IssuedTokenAnswer = Type.Object({ tokenId: Type.String(), token: Type.String() })
export type IssuedTokenAnswer = Static<typeof IssuedTokenAnswer>

export function shownToken(token: ServiceTokenRow): TokenAnswer {
  return {
    tokenId: token.tokenId,
    name: token.name,
    scopes: token.scopes,
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    revokedAt: token.revokedAt?.toISOString() ?? null,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    campaign: token.campaign,
  }
}
