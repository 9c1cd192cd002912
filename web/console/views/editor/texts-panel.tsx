import { Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { languageTags } from '../../../game/languages.ts'
import { t } from '../../texts.ts'
import { changed } from './change.ts'
import { errorAt } from './checks.tsx'
import type { EditorProps } from './editor-props.ts'

const fields = ['title', 'subtitle', 'button', 'won', 'noLuck'] as const

export function TextsPanel({ wheel, onChange, isReadOnly, errors }: EditorProps) {
  const [tag, setTag] = useState('en')
  const texts = wheel.texts ?? {}
  const own = texts[tag] ?? {}
  const names = new Intl.DisplayNames('en', { type: 'language' })
  const set = (field: (typeof fields)[number], value: string) => {
    const next = changed(own, { [field]: value })
    const all = changed(texts, { [tag]: Object.keys(next).length === 0 ? undefined : next })
    onChange(
      changed(wheel, { texts: Object.keys(all).length === 0 ? undefined : all }),
      `texts ${tag} ${field}`,
    )
  }
  const choices = [...new Set([...languageTags, ...Object.keys(texts)])].map((value) => {
    const count = Object.keys(texts[value] ?? {}).length
    const name = names.of(value) ?? value
    return { value, label: count === 0 ? name : t('texts.written', { name, count }) }
  })
  return (
    <Paper>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('texts.text')}
        </Text>
        <Select
          label={t('texts.language')}
          data={choices}
          value={tag}
          allowDeselect={false}
          maw={280}
          onChange={(value) => value !== null && setTag(value)}
        />
        <fieldset disabled={isReadOnly} className="plain">
          <Stack gap="sm" key={tag}>
            {fields.map((field) => (
              <TextInput
                key={field}
                label={t(`texts.${field}`)}
                placeholder={t('texts.own')}
                value={own[field] ?? ''}
                maxLength={200}
                error={errorAt(errors, `/texts/${tag}/${field}`)}
                onChange={(event) => set(field, event.currentTarget.value)}
              />
            ))}
          </Stack>
        </fieldset>
      </Stack>
    </Paper>
  )
}
