/** Publishing the draft, now or later. */
import type { PublicationAnswer } from '../../../../../src/http/answers/versions.ts'
import type { WheelAnswer, WheelSummary } from '../../../../../src/http/answers/wheels.ts'
import { useAction } from '../../../parts/action.ts'
import { tellDone } from '../../../parts/notify.ts'
import { useApi, useRefresh } from '../../../session.tsx'
import { formatNumber, t } from '../../../texts.ts'

export function usePublication(options: {
  slug: string
  /** For a later publication. */
  at: string | undefined
  /** The revision of the saved draft, as an ETag. */
  tagOf: () => string | null
  onDone: () => void
  onChanged: (summary: WheelSummary) => void
}) {
  const { slug, at, tagOf, onDone, onChanged } = options
  const api = useApi()
  const refresh = useRefresh()
  const path = `/api/v1/wheels/${slug}`
  const publish = useAction({
    mutationFn: () => api.post<PublicationAnswer>(`${path}/publication`),
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
    mutationFn: () => {
      const tag = tagOf()
      const headers = tag === null ? {} : { 'If-Match': tag }
      return api.put<WheelAnswer>(`${path}/scheduled-publication`, { at }, headers)
    },
    onSuccess: ({ data }) => {
      onDone()
      onChanged(data)
      void refresh('wheels')
      tellDone(t('scheduled.done'))
    },
  })
  return { publish, schedule }
}
