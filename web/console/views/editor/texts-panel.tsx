import { Paper, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../texts.ts'
import { changed } from './change.ts'
import { errorAt } from './checks.tsx'
import type { EditorProps } from './editor-props.ts'
import { Languages } from './languages.tsx'
import { TranslationFields } from './translations.tsx'

const fields = ['title', 'subtitle', 'button', 'won', 'noLuck'] as const

export function TextsPanel(props: EditorProps) {
  const { wheel, onChange, isReadOnly, errors } = props
  const [tag, setTag] = useState(wheel.language ?? 'en')
  const texts = wheel.texts ?? {}
  const own = texts[tag] ?? {}
  const set = (field: (typeof fields)[number], value: string) => {
    const next = changed(own, { [field]: value })
    const all = changed(texts, { [tag]: Object.keys(next).length === 0 ? undefined : next })
    onChange(
      changed(wheel, { texts: Object.keys(all).length === 0 ? undefined : all }),
      `texts ${tag} ${field}`,
    )
  }
  return (
    <Paper>
      <Stack>
        <Languages {...props} tag={tag} onTag={setTag} />
        <Text size="sm" c="dimmed">
          {t('texts.text')}
        </Text>
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
            {wheel.language === undefined || wheel.language === tag ? null : (
              <TranslationFields {...props} tag={tag} />
            )}
          </Stack>
        </fieldset>
      </Stack>
    </Paper>
  )
}
