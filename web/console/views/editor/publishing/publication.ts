/** Publishing the draft, now or later. */
import type { PublicationAnswer } from '../../../../../src/http/answers/versions.ts'
import type { WheelAnswer, WheelSummary } from '../../../../../src/http/answers/wheels.ts'
import { Problem } from '../../../api.ts'
import { useAction } from '../../../parts/action.ts'
import { tellDone } from '../../../parts/notify.ts'
import { useApi, useRefresh } from '../../../session.tsx'
import { formatNumber, t } from '../../../texts.ts'
import type { Draft } from '../draft/draft.ts'

export function usePublication(options: {
  slug: string
  /** For a later publication. */
  at: string | undefined
  /** It is published as it is shown. */
  draft: Draft
  /** Somebody else has saved another draft. Nothing was published. */
  onConflict: () => void
  onDone: () => void
  onChanged: (summary: WheelSummary) => void
}) {
  const { slug, at, draft, onDone, onConflict, onChanged } = options
  const api = useApi()
  const refresh = useRefresh()
  const path = `/api/v1/wheels/${slug}`
  const asShown = () => ({ 'If-Match': draft.tagOf() ?? '' })
  const onError = (error: Error) => {
    if (!(error instanceof Problem) || error.code !== 'draft_changed') return
    onConflict()
    draft.doubt()
  }
  const publish = useAction({
    mutationFn: () => api.post<PublicationAnswer>(`${path}/publication`, undefined, asShown()),
    onError,
    onSuccess: async ({ version }) => {
      onDone()
      onChanged(await api.get<WheelAnswer>(path))
      await refresh('wheels')
      await refresh('versions', slug)
      void refresh('paces', slug)
      tellDone(t('editor.published', { version: formatNumber(version) }))
    },
  })
  const schedule = useAction({
    mutationFn: () => api.put<WheelAnswer>(`${path}/scheduled-publication`, { at }, asShown()),
    onError,
    onSuccess: ({ data }) => {
      onDone()
      onChanged(data)
      void refresh('wheels')
      tellDone(t('scheduled.done'))
    },
  })
  return { publish, schedule }
}
