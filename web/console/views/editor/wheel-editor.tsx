/** The wheel editor: segments, schedule, look and texts, with checks and publishing. */
import { Paper, Stack } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { VersionsAnswer } from '../../../../src/http/answers/versions.ts'
import type { SimulationAnswer, WheelAnswer, WheelSummary } from '../../../../src/http/answers/wheels.ts'
import { useAction } from '../../parts/action.ts'
import { tellDone, tellFirst, tellProblem } from '../../parts/notify.ts'
import { Loaded } from '../../parts/states.tsx'
import { useSteady } from '../../parts/steady.ts'
import { AddressTabs } from '../../parts/tabs.tsx'
import type { EditorProps } from './editor-props.ts'
import { CollectUnfinished, focusUnfinished, useUnfinished } from '../../parts/unfinished.tsx'
import { useWarnBeforeLeaving } from '../../parts/unsaved.ts'
import { useApi, useMay, useRead, useRefresh } from '../../session.tsx'
import { formatNumber, t } from '../../texts.ts'
import { useTemplateOf } from '../templates/template-of.ts'
import { differences } from './change.ts'
import { Checks } from './checks.tsx'
import { Conflict } from './conflict.tsx'
import { EditorHeader } from './editor-header.tsx'
import { useHistory } from './history.ts'
import { LookPanel } from './look-panel.tsx'
import { OddsBar } from './odds-bar.tsx'
import { PacesPanel } from './paces-panel.tsx'
import { Preview } from './preview.tsx'
import { Publish, useLiveVersion } from './publish.tsx'
import { useSaving } from './saving.ts'
import { SchedulePanel } from './schedule-panel.tsx'
import { ScheduledNotice } from './scheduled-notice.tsx'
import { SegmentsPanel } from './segments-panel.tsx'
import { SimulationPanel } from './simulation-panel.tsx'
import { TextsPanel } from './texts-panel.tsx'
import { VersionsPanel } from './versions-panel.tsx'
import { useSearchParams } from '../../parts/search-params.ts'

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
  const api = useApi()
  const may = useMay()
  const refresh = useRefresh()
  const history = useHistory(answer.draft)
  const wheel = history.present
  const [summary, setSummary] = useState<WheelSummary>(answer)
  const [isPublishing, setPublishing] = useState(false)
  const [isRescheduling, setRescheduling] = useState(false)
  const isReadOnly = !may.edit
  const check = useQuery({
    queryKey: [api.merchant, 'check', slug],
    queryFn: () => api.post<SimulationAnswer>(`/api/v1/wheels/${slug}/simulation`, { playsPerDay: 1 }),
    placeholderData: (before) => before,
  })
  const [params] = useSearchParams()
  const tab = params.get('tab')
  const [tag, setTag] = useState(answer.draft.language ?? 'en')
  const versions = useRead<VersionsAnswer>(['versions', slug], `/api/v1/wheels/${slug}/versions`)
  const givenOf = (id: string) => versions.data?.stocks.find((stock) => stock.prize === id)?.given ?? 0
  const live = useLiveVersion(slug, summary.publishedVersion)
  const published = live.data?.document
  const template = useTemplateOf(wheel, { enabled: summary.publishedVersion === null })
  // What translations were made for.
  const translated = published ?? template
  const unpublishedCount = useMemo(
    () => (published === undefined ? null : differences(published, wheel).length),
    [published, wheel],
  )
  const isUnchanged = unpublishedCount === 0
  const unfinished = useUnfinished()
  const { saving, save, rebase, overwrite, tagOf } = useSaving({
    api,
    slug,
    draft: wheel,
    etag,
    isReadOnly,
    hasUnfinished: unfinished.hasUnfinished,
    onSaved: () => {
      void check.refetch()
      void refresh('forecast', slug)
    },
  })
  const errors = saving.state === 'invalid' ? saving.errors : (check.data?.errors ?? [])

  useHotkeys(
    [
      ['mod+Z', history.undo],
      ['mod+shift+Z', history.redo],
      ['mod+Y', history.redo],
    ],
    [],
  )

  const pause = useAction({
    mutationFn: (isPause: boolean) =>
      isPause
        ? api.put<WheelAnswer>(`/api/v1/wheels/${slug}/pause`).then(({ data }) => data)
        : api.del<WheelAnswer>(`/api/v1/wheels/${slug}/pause`),
    onSuccess: async (changed) => {
      setSummary(changed)
      await refresh('wheels')
      tellDone(changed.pausedAt === null ? t('editor.resumed') : t('editor.pausedNow'))
    },
    onError: tellProblem,
  })

  // The rest of the wheel saves itself.
  useWarnBeforeLeaving(unfinished.hasUnfinished)
  /** Whether every field is valid. Otherwise shows the first one that is not. */
  const isFinished = () => {
    if (!unfinished.hasUnfinished) return true
    focusUnfinished()
    tellFirst(t('editor.unfinished'))
    return false
  }
  const openPublish = async (startsLater: boolean) => {
    setRescheduling(startsLater)
    if (!isFinished()) return
    if (saving.state === 'saved' || (await save())) setPublishing(true)
  }
  const takeTheirs = async () => {
    const theirs = await api.getTagged<WheelAnswer>(`/api/v1/wheels/${slug}`)
    history.replace(theirs.data.draft)
    rebase(theirs.data.draft, theirs.etag)
    setSummary(theirs.data)
    void check.refetch()
  }
  const keepMine = async () => {
    const theirs = await api.getTagged<WheelAnswer>(`/api/v1/wheels/${slug}`)
    overwrite(theirs.etag)
  }

  const actions = useSteady({
    undo: history.undo,
    redo: history.redo,
    pause: pause.mutate,
    publish: () => void openPublish(false),
    retry: () => void save(),
  })
  const props: EditorProps = { wheel, onChange: history.change, isReadOnly, errors }
  return (
    <>
      <EditorHeader
        {...{ slug, summary, saving, unpublishedCount, isReadOnly }}
        name={wheel.name}
        canUndo={history.canUndo}
        canRedo={history.canRedo}
        isPausing={pause.isPending}
        actions={actions}
      />

      <ScheduledNotice
        summary={summary}
        wheel={wheel}
        isReadOnly={isReadOnly}
        onReschedule={() => void openPublish(true)}
        onChanged={(changed) => {
          setSummary(changed)
          void refresh('versions', slug)
          void refresh('wheels')
        }}
      />
      <div className="editor">
        <div style={{ minWidth: 0 }}>
          <CollectUnfinished value={unfinished.report}>
            <AddressTabs
              label={t('editor.parts')}
              mayLeave={isFinished}
              tabs={[
                {
                  value: 'segments',
                  label: t('editor.segments'),
                  content: <SegmentsPanel {...props} givenOf={givenOf} />,
                },
                {
                  value: 'schedule',
                  label: t('editor.schedule'),
                  content: <SchedulePanel {...props} slug={slug} />,
                },
                { value: 'look', label: t('editor.look'), content: <LookPanel {...props} /> },
                {
                  value: 'texts',
                  label: t('editor.texts'),
                  content: (
                    <TextsPanel
                      {...props}
                      translated={translated}
                      tag={tag}
                      onTag={(next) => isFinished() && setTag(next)}
                    />
                  ),
                },
                {
                  value: 'simulation',
                  label: t('editor.simulation'),
                  content: <SimulationPanel slug={slug} wheel={wheel} />,
                },
                {
                  value: 'paces',
                  label: t('editor.paces'),
                  content: <PacesPanel slug={slug} wheel={wheel} />,
                },
                {
                  value: 'versions',
                  label: t('editor.versions'),
                  content: (
                    <VersionsPanel
                      slug={slug}
                      isReadOnly={isReadOnly}
                      onLoad={(document) => history.change(document, 'version')}
                    />
                  ),
                },
              ]}
            />
          </CollectUnfinished>
        </div>
        <Stack className="editor-aside" gap="md">
          <Preview
            wheel={wheel}
            language={tab === 'texts' ? tag : null}
            opening={tab === 'schedule' ? check.data?.opening : undefined}
          />
          <Paper p="md">
            <OddsBar wheel={wheel} />
          </Paper>
          {isReadOnly || (unfinished.hasUnfinished && errors.length === 0) ? null : (
            <Checks
              errors={errors}
              wheel={wheel}
              translated={translated}
              isLoading={check.isPending}
              error={check.error}
              unchangedSince={isUnchanged ? summary.publishedVersion : null}
            />
          )}
        </Stack>
      </div>

      <Publish
        key={String(isRescheduling)}
        startsLater={isRescheduling}
        scheduled={summary.scheduledPublication}
        opened={isPublishing}
        slug={slug}
        wheel={wheel}
        publishedVersion={summary.publishedVersion}
        translated={translated}
        isUnchanged={isUnchanged}
        errors={errors}
        endedRuns={check.data?.endedRuns ?? []}
        tagOf={tagOf}
        onClose={() => setPublishing(false)}
        onScheduled={(changed) => {
          setPublishing(false)
          setSummary(changed)
          void refresh('wheels')
          tellDone(t('scheduled.done'))
        }}
        onPublished={async (version) => {
          setPublishing(false)
          setSummary(await api.get<WheelAnswer>(`/api/v1/wheels/${slug}`))
          await refresh('wheels')
          await refresh('versions', slug)
          void refresh('paces', slug)
          tellDone(t('editor.published', { version: formatNumber(version) }))
        }}
      />
      <Conflict
        slug={slug}
        opened={saving.state === 'conflict'}
        onMine={() => void keepMine().catch(tellProblem)}
        onTheirs={() => void takeTheirs().catch(tellProblem)}
      />
    </>
  )
}
