/** What players read about a campaign, in each language. */
import { Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import { tellFirst } from '../../parts/notify.ts'
import { TextField } from '../../parts/text-field.tsx'
import { CollectUnfinished, focusUnfinished, useUnfinishedPart } from '../../parts/unfinished.tsx'
import { t } from '../../texts.ts'
import { changed } from '../editor/draft/change.ts'
import { LanguageChoice } from '../editor/texts/language-choice.tsx'

type Texts = CampaignAnswer['texts']

export function CampaignTexts(props: {
  texts: Texts
  isReadOnly: boolean
  onChange: (texts: Texts) => void
}) {
  const { texts, isReadOnly, onChange } = props
  const [tag, setTag] = useState(Object.keys(texts)[0] ?? 'en')
  const unfinished = useUnfinishedPart()
  const own = texts[tag] ?? {}
  const set = (change: Texts[string]) => {
    const next = changed(own, change)
    const others = Object.fromEntries(Object.entries(texts).filter(([one]) => one !== tag))
    onChange(Object.keys(next).length === 0 ? others : { ...others, [tag]: next })
  }
  return (
    <Stack gap="sm">
      <div>
        <Title order={3} size="h4">
          {t('campaign.texts')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('campaign.textsText')}
        </Text>
      </div>
      <LanguageChoice
        used={Object.keys(texts)}
        countsOf={(one) => ({ count: Object.keys(texts[one] ?? {}).length, outdated: 0 })}
        tag={tag}
        onTag={(next) => {
          if (!unfinished.hasUnfinished) return setTag(next)
          focusUnfinished()
          tellFirst(t('editor.unfinished'))
        }}
        isReadOnly={isReadOnly}
      />
      <CollectUnfinished value={unfinished.report}>
        <Stack gap="sm" key={tag}>
          <TextField
            label={t('campaign.textName')}
            value={own.name ?? ''}
            lengthMax={80}
            onChange={(text) => set({ name: text })}
          />
          <TextField
            label={t('campaign.textDescription')}
            value={own.description ?? ''}
            lengthMax={200}
            onChange={(text) => set({ description: text })}
          />
        </Stack>
      </CollectUnfinished>
    </Stack>
  )
}
