import { Paper, Stack } from '@mantine/core'
import { useSearchParams } from '../../parts/search-params.ts'
import { Checks } from './checks.tsx'
import type { Draft } from './draft/draft.ts'
import { OddsBar } from './segments/odds-bar.tsx'
import { Preview } from './preview.tsx'
import type { Published } from './publishing/published.ts'

/** Beside the tabs: the wheel as players see it, its odds, and what prevents publication. */
export function EditorAside(props: {
  draft: Draft
  published: Published
  isReadOnly: boolean
  hasUnfinished: boolean
  /** The language whose texts are edited. */
  tag: string
}) {
  const { published, isReadOnly, hasUnfinished, tag } = props
  const { wheel, check, errors } = props.draft
  const [params] = useSearchParams()
  const tab = params.get('tab')
  return (
    <Stack className="editor-aside" gap="md">
      <Preview
        wheel={wheel}
        language={tab === 'texts' ? tag : null}
        opening={tab === 'schedule' ? check.data?.opening : undefined}
      />
      <Paper p="md">
        <OddsBar wheel={wheel} />
      </Paper>
      {isReadOnly || (hasUnfinished && errors.length === 0) ? null : (
        <Checks
          errors={errors}
          wheel={wheel}
          isLoading={check.isPending}
          error={check.error}
          unchangedSince={published.isUnchanged ? published.version : null}
        />
      )}
    </Stack>
  )
}
