import { type Static, Type } from 'typebox'
import { Time } from './common.ts'
import { type Page, PageOf } from './page.ts'

export const LiveLink = Type.Object(
  { linkId: Type.String(), createdAt: Time, expiresAt: Time },
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

export function shownLiveLink(link: { linkId: string; createdAt: Date; expiresAt: Date }): LiveLink {
  const { linkId, createdAt, expiresAt } = link
  return { linkId, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}

export function shownRevokedLink({ linkId, revokedAt }: { linkId: string; revokedAt: Date }): RevokedLink {
  return { linkId, revokedAt: revokedAt.toISOString() }
}
