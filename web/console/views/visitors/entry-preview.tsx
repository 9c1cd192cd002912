/** What a visitor sees of the edited form and terms: the game page itself, which sends nothing. */
import { Paper, SegmentedControl, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { type EntryFieldTime, type EntrySettings, entryFieldTimes } from '../../../../src/entries/form.ts'
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

/** Of the forms that have fields, one at a time. */
export function EntryPreview(props: Props) {
  const [chosen, choose] = useState<EntryFieldTime>('entry')
  const times = entryFieldTimes.filter((time) => props.draft.fields.some(({ when }) => when === time))
  const when = times.includes(chosen) ? chosen : 'entry'
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
      {times.length === 1 ? null : (
        <SegmentedControl
          mb="md"
          fullWidth
          aria-label={t('visitors.previewWhen')}
          data={times.map((value) => ({ value, label: t(`visitors.when.${value}`) }))}
          value={when}
          onChange={choose}
        />
      )}
      <Loaded query={query}>{(found) => <Frame {...props} when={when} wheel={found.draft} />}</Loaded>
    </Paper>
  )
}

function Frame({
  draft,
  campaign,
  language,
  when,
  wheel,
}: Props & { when: EntryFieldTime; wheel: WheelDocument }) {
  const { fields, terms, verify, spins } = draft
  const { endsAt } = campaign
  const shown = useMemo(
    (): EntryDraft => ({
      published: draftOf(wheel).published,
      language,
      when,
      shown: {
        form: { version: 0, fields: shownFields(fields, language, when) },
        terms: { ...shownTerms(terms, language), hash: '' },
        verify,
        spins,
        closesAt: endsAt,
      },
    }),
    [wheel, language, when, fields, terms, verify, spins, endsAt],
  )
  return <GameFrame src="/spinthewheel/?preview=entry" title={t('visitors.preview')} draft={shown} />
}
