/** The draft of a wheel: edits that can be undone, saving, and the server's check of what is saved. */
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { SimulationAnswer, WheelAnswer } from '../../../../../src/http/answers/wheels.ts'
import { followTranslations } from '../../../../../src/wheel-document/translated-from.ts'
import { useApi, useRefresh } from '../../../session.tsx'
import { useHistory } from './history.ts'
import { useSaving } from './saving.ts'

export type Draft = ReturnType<typeof useDraft>

export function useDraft(options: {
  answer: WheelAnswer
  etag: string | null
  slug: string
  isReadOnly: boolean
  hasUnfinished: boolean
}) {
  const { answer, slug, ...rest } = options
  const api = useApi()
  const refresh = useRefresh()
  const path = `/api/v1/wheels/${slug}`
  const history = useHistory(answer.draft, followTranslations)
  const check = useQuery({
    queryKey: [api.merchant, 'check', slug],
    queryFn: () => api.post<SimulationAnswer>(`${path}/simulation`, { playsPerDay: 1 }),
    placeholderData: (before) => before,
  })
  const { saving, save, rebase, overwrite, doubt, tagOf } = useSaving({
    api,
    slug,
    draft: history.present,
    ...rest,
    onSaved: () => {
      void check.refetch()
      void refresh('forecast', slug)
    },
  })
  useHotkeys(
    [
      ['mod+Z', history.undo],
      ['mod+shift+Z', history.redo],
      ['mod+Y', history.redo],
    ],
    [],
  )
  /** Replaces the draft by the one that someone else has saved, and returns the wheel. */
  const takeTheirs = async () => {
    const theirs = await api.getTagged<WheelAnswer>(path)
    history.replace(theirs.data.draft)
    rebase(theirs.data.draft, theirs.etag)
    void check.refetch()
    return theirs.data
  }
  const keepMine = async () => {
    const theirs = await api.getTagged<WheelAnswer>(path)
    overwrite(theirs.etag)
  }
  return {
    wheel: history.present,
    history,
    saving,
    check,
    errors: saving.state === 'invalid' ? saving.errors : (check.data?.errors ?? []),
    save,
    tagOf,
    doubt,
    takeTheirs,
    keepMine,
  }
}
