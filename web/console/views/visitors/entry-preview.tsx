/** What a visitor sees of the edited form and terms: the game page itself, which sends nothing. */
import { Paper, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import type { EntrySettings } from '../../../../src/entries/form.ts'
import { shownFields, shownTerms } from '../../../../src/entries/shown-form.ts'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { WheelAnswer } from '../../../../src/http/answers/wheels.ts'
import type { WheelDocument } from '../../../../src/wheel-document/wheel-document.ts'
import type { EntryDraft } from '../../../game/entry/preview-entry.ts'
import { GameFrame } from '../../parts/game-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useRead } from '../../session.tsx'
import { t } from '../../texts.ts'
import { draftOf } from '../editor/preview.tsx'
import { languageName } from '../editor/texts/language-name.ts'

type Props = { draft: EntrySettings; campaign: CampaignAnswer; language: string }

export function EntryPreview(props: Props) {
  const { wheel } = props.campaign
  const query = useRead<WheelAnswer>(['wheels', 'of-entry', wheel], `/api/v1/wheels/${wheel}`)
  return (
    <Paper component="section" aria-labelledby="visitors-preview" className="editor-aside">
      <Title order={2} id="visitors-preview">
        {t('visitors.preview')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('visitors.previewText', { language: languageName(props.language) })}
      </Text>
      <Loaded query={query}>{(found) => <Frame {...props} wheel={found.draft} />}</Loaded>
    </Paper>
  )
}

function Frame({ draft, campaign, language, wheel }: Props & { wheel: WheelDocument }) {
  const { fields, terms, verify, spins } = draft
  const { endsAt } = campaign
  const shown = useMemo(
    (): EntryDraft => ({
      published: draftOf(wheel).published,
      language,
      shown: {
        form: { version: 0, fields: shownFields(fields, language) },
        terms: { ...shownTerms(terms, language), hash: '' },
        verify,
        spins,
        closesAt: endsAt,
      },
    }),
    [wheel, language, fields, terms, verify, spins, endsAt],
  )
  return <GameFrame src="/spinthewheel/?preview=entry" title={t('visitors.preview')} draft={shown} />
}
