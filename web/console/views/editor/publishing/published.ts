/** The published version of a wheel, and how the draft differs from it. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { VersionAnswer } from '../../../../../src/http/answers/versions.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { useApi } from '../../../session.tsx'
import { differences } from '../draft/change.ts'

export type Published = ReturnType<typeof usePublished>

export function usePublished(slug: string, draft: WheelDocument, version: number | null) {
  const live = useVersion(slug, version)
  const document = live.data?.document
  /** Changes of the draft against the published version; null if there is none. */
  const unpublishedCount = useMemo(
    () => (document === undefined ? null : differences(document, draft).length),
    [document, draft],
  )
  return {
    version,
    live,
    unpublishedCount,
    /** Whether the draft equals the published version. */
    isUnchanged: unpublishedCount === 0,
  }
}

/** A published document. It never changes. */
export function useVersion(slug: string, version: number | null) {
  const api = useApi()
  return useQuery({
    queryKey: [api.merchant, 'version', slug, version],
    queryFn: ({ signal }) => api.get<VersionAnswer>(`/api/v1/wheels/${slug}/versions/${version}`, signal),
    enabled: version !== null,
    staleTime: Infinity,
  })
}
