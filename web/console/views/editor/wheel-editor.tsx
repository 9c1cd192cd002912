/** The wheel editor: segments, schedule, look and texts, with checks and publishing. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WheelAnswer, WheelSummary } from '../../../../src/http/answers/wheels.ts'
import { tellFirst, tellProblem } from '../../parts/notify.ts'
import { Loaded } from '../../parts/states.tsx'
import { useSteady } from '../../parts/steady.ts'
import { CollectUnfinished, focusUnfinished, useUnfinished } from '../../parts/unfinished.tsx'
import { useWarnBeforeLeaving } from '../../parts/unsaved.ts'
import { useApi, useMay, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'
import { Conflict } from './draft/conflict.tsx'
import { useDraft } from './draft/draft.ts'
import type { Saving } from './draft/saving.ts'
import { EditorAside } from './editor-aside.tsx'
import { EditorHeader } from './editor-header.tsx'
import { EditorTabs } from './editor-tabs.tsx'
import { Publish } from './publishing/publish.tsx'
import { usePublished } from './publishing/published.ts'
import { ScheduledNotice } from './publishing/scheduled-notice.tsx'

export function WheelEditor({ slug }: { slug: string }) {
  const api = useApi()
  const loaded = useQuery({
    queryKey: [api.merchant, 'wheel', slug],
    queryFn: ({ signal }) => api.getTagged<WheelAnswer>(`/api/v1/wheels/${slug}`, signal),
    staleTime: Infinity,
    // A refetch must not replace text while it is typed, and the next visit must not show an old draft.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <Loaded query={loaded} rows={8}>
      {({ data, etag }) => <Editor answer={data} etag={etag} slug={slug} />}
    </Loaded>
  )
}

function Editor({ answer, etag, slug }: { answer: WheelAnswer; etag: string | null; slug: string }) {
  const isReadOnly = !useMay().edit
  const refresh = useRefresh()
  const [summary, setSummary] = useState<WheelSummary>(answer)
  const [tag, setTag] = useState(answer.draft.language ?? 'en')
  const { hasUnfinished, report, areFinished } = useFields()
  const draft = useDraft({ answer, etag, slug, isReadOnly, hasUnfinished })
  const { wheel, saving, history } = draft
  useWarnBeforeLeaving(!isReadOnly && isRefused(saving), { staysInView: true })
  const published = usePublished(slug, wheel, summary.publishedVersion)
  const [isPublishing, setPublishing] = useState(false)
  const [isRescheduling, setRescheduling] = useState(false)
  const openPublish = async (startsLater: boolean) => {
    setRescheduling(startsLater)
    if (!areFinished()) return
    if (saving.state === 'saved' || (await draft.save())) setPublishing(true)
  }
  const actions = useSteady({
    undo: history.undo,
    redo: history.redo,
    changed: setSummary,
    publish: () => void openPublish(false),
    retry: () => void draft.save(),
  })
  const shared = { slug, draft, published, isReadOnly, tag }
  return (
    <>
      <EditorHeader
        {...{ slug, summary, saving, isReadOnly, actions }}
        name={wheel.name}
        unpublishedCount={published.unpublishedCount}
        canUndo={history.canUndo}
        canRedo={history.canRedo}
      />

      <ScheduledNotice
        {...{ summary, wheel, published, isReadOnly }}
        onReschedule={() => void openPublish(true)}
        onChanged={(changed) => {
          setSummary(changed)
          void refresh('versions', slug)
          void refresh('wheels')
        }}
      />
      <div className="editor">
        <div style={{ minWidth: 0 }}>
          <CollectUnfinished value={report}>
            <EditorTabs {...shared} onTag={setTag} mayLeave={areFinished} />
          </CollectUnfinished>
        </div>
        <EditorAside {...shared} hasUnfinished={hasUnfinished} />
      </div>

      <Publish
        key={String(isRescheduling)}
        {...{ slug, summary, draft, published }}
        startsLater={isRescheduling}
        opened={isPublishing}
        onClose={() => setPublishing(false)}
        onChanged={setSummary}
      />
      <Conflict
        slug={slug}
        opened={saving.state === 'conflict'}
        onMine={() => void draft.keepMine().catch(tellProblem)}
        onTheirs={() => void draft.takeTheirs().then(setSummary).catch(tellProblem)}
      />
    </>
  )
}

/** Saved neither by itself nor on leaving, as it seems. */
function isRefused({ state }: Saving): boolean {
  return state === 'failed' || state === 'invalid' || state === 'conflict'
}

/** Whether the fields of the open tab are valid. */
function useFields() {
  const { hasUnfinished, report } = useUnfinished()
  // The rest of the wheel saves itself.
  useWarnBeforeLeaving(hasUnfinished)
  /** Whether every field is valid. Otherwise shows the first one that is not. */
  const areFinished = () => {
    if (!hasUnfinished) return true
    focusUnfinished()
    tellFirst(t('editor.unfinished'))
    return false
  }
  return { hasUnfinished, report, areFinished }
}
