import type { VersionsAnswer } from '../../../../src/http/answers/versions.ts'
import { AddressTabs } from '../../parts/tabs.tsx'
import { useRead } from '../../session.tsx'
import { t } from '../../texts.ts'
import type { Draft } from './draft/draft.ts'
import type { EditorProps } from './editor-props.ts'
import { LookPanel } from './look/look-panel.tsx'
import { PacesPanel } from './pacing/paces-panel.tsx'
import { SchedulePanel } from './schedule/schedule-panel.tsx'
import { SegmentsPanel } from './segments/segments-panel.tsx'
import { SimulationPanel } from './simulation/simulation-panel.tsx'
import { TextsPanel } from './texts/texts-panel.tsx'
import { VersionsPanel } from './publishing/versions-panel.tsx'

/** The parts of a wheel, one tab for each. */
export function EditorTabs(props: {
  slug: string
  draft: Draft
  isReadOnly: boolean
  /** The language whose texts are edited. */
  tag: string
  onTag: (tag: string) => void
  mayLeave: () => boolean
}) {
  const { slug, isReadOnly, mayLeave } = props
  const { wheel, history, errors } = props.draft
  const versions = useRead<VersionsAnswer>(['versions', slug], `/api/v1/wheels/${slug}/versions`)
  const givenOf = (id: string) => versions.data?.stocks.find((stock) => stock.prize === id)?.given ?? 0
  const panel: EditorProps = { wheel, onChange: history.change, isReadOnly, errors }
  const texts = <TextsPanel {...panel} tag={props.tag} onTag={(next) => mayLeave() && props.onTag(next)} />
  const versionList = <VersionsPanel slug={slug} isReadOnly={isReadOnly} onLoad={history.load} />
  const contents = {
    segments: <SegmentsPanel {...panel} givenOf={givenOf} />,
    schedule: <SchedulePanel {...panel} slug={slug} />,
    look: <LookPanel {...panel} />,
    texts,
    simulation: <SimulationPanel slug={slug} wheel={wheel} />,
    paces: <PacesPanel slug={slug} wheel={wheel} />,
    versions: versionList,
  }
  const names = Object.keys(contents) as (keyof typeof contents)[]
  return (
    <AddressTabs
      label={t('editor.parts')}
      mayLeave={mayLeave}
      tabs={names.map((value) => ({ value, label: t(`editor.${value}`), content: contents[value] }))}
    />
  )
}
