/** The changes in the dialog of publication. Serious ones have to be accepted before they can be published. */
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Failure, Waiting } from '../../../parts/states.tsx'
import { t } from '../../../texts.ts'
import { Warnings } from '../checks.tsx'
import type { Draft } from '../draft/draft.ts'
import { OutdatedNotice } from '../texts/outdated-notice.tsx'
import { Changes, effectsBy } from './changes.tsx'
import { useFacts } from './facts.ts'
import type { Published } from './published.ts'
import { endedRunsWarning, StartedRuns } from './runs-notice.tsx'

export function useChanges(props: {
  opened: boolean
  slug: string
  draft: Draft
  published: Published
  /** For a later publication. */
  at: string | undefined
}) {
  const { opened, slug, draft, published, at } = props
  const { wheel, errors, history } = draft
  // The serious changes that were accepted, so that others must be accepted anew.
  const [accepted, setAccepted] = useState('')
  const openedAt = useOpening(opened)
  const facts = useFacts(slug, { enabled: opened, at: at === undefined ? openedAt : Date.parse(at) })
  const isKnown = published.version === null || published.live.isSuccess
  const before = published.live.data?.document
  const effects = isKnown ? effectsBy(facts, before, wheel) : undefined
  const endedRuns = draft.check.data?.endedRuns ?? []
  const serious = [...(effects?.serious ?? []), ...endedRunsWarning(endedRuns, wheel)]
  const points = [...serious, ...(effects?.outdated ?? [])]
  const text = points.join('\n')
  const shown =
    facts === undefined || effects === undefined ? (
      published.live.isError ? (
        <Failure error={published.live.error} />
      ) : (
        <Waiting rows={3} />
      )
    ) : (
      <>
        {serious.length === 0 ? null : <Warnings warnings={serious} title={t('effect.serious')} />}
        <OutdatedNotice wheel={wheel} onChange={history.change} isReadOnly={false} />
        {effects.known.length === 0 ? null : <Warnings warnings={effects.known} title={t('effect.known')} />}
        <StartedRuns wheel={wheel} live={before} endedRuns={endedRuns} />
        <Changes
          {...{ slug, before, facts, effects, at }}
          of="draft"
          after={wheel}
          hasProblems={errors.length > 0}
        />
      </>
    )
  const acceptance =
    points.length === 0 ? null : (
      <Checkbox
        label={t('effect.accept', { count: points.length })}
        checked={accepted === text}
        onChange={(event) => setAccepted(event.currentTarget.checked ? text : '')}
      />
    )
  return {
    shown,
    acceptance,
    isAccepted: effects !== undefined && (points.length === 0 || accepted === text),
    doubt: () => setAccepted(''),
  }
}

/** When the dialog was opened: what it shows must not change by itself. */
function useOpening(opened: boolean): number {
  const [opening, setOpening] = useState({ opened, at: Date.now() })
  if (opening.opened !== opened) setOpening({ opened, at: Date.now() })
  return opening.at
}
