/** What a publication changes: for players, for the budget, and in which fields. */
import { Text } from '@mantine/core'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { t } from '../../../texts.ts'
import { differences } from '../draft/change.ts'
import { Chances } from './chances.tsx'
import { Differences } from './differences.tsx'
import { type Effects, effectsOf, type Facts } from './effects.ts'
import { ExpectedCost } from './expected-cost.tsx'

export function Changes(props: {
  slug: string
  of: 'draft' | 'scheduled'
  /** The published version; undefined before the first publication. */
  before: WheelDocument | undefined
  after: WheelDocument
  facts: Facts
  effects: Effects
  /** For a later publication. */
  at: string | undefined
  hasProblems: boolean
}) {
  const { slug, of, before, after, facts, effects, at, hasProblems } = props
  const isFirst = before === undefined
  return (
    <>
      {isFirst ? <Text size="sm">{t('publish.first')}</Text> : null}
      <Chances effects={effects} isFirst={isFirst} />
      {hasProblems ? null : <ExpectedCost {...{ slug, of, facts, at, isFirst }} />}
      {isFirst ? null : <Differences found={differences(before, after)} />}
    </>
  )
}

/** The effects, once all facts are known. */
export function effectsBy(
  facts: Facts | undefined,
  before: WheelDocument | undefined,
  after: WheelDocument | undefined,
): Effects | undefined {
  return facts === undefined || after === undefined ? undefined : effectsOf(before, after, facts)
}
