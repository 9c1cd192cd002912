import { Paper, Stack, Text } from '@mantine/core'
import { t } from '../../../texts.ts'
import { changed } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import type { EditorProps } from '../editor-props.ts'
import { Languages } from './languages.tsx'
import { OutdatedNotice } from './outdated-notice.tsx'
import { TranslatedField } from './translated-field.tsx'
import { TranslationFields } from './translations.tsx'

const fields = ['title', 'subtitle', 'button', 'won', 'noLuck'] as const

export function TextsPanel(props: EditorProps & { tag: string; onTag: (tag: string) => void }) {
  const { wheel, onChange, isReadOnly, errors, tag } = props
  const { texts = {}, language } = wheel
  const own = texts[tag] ?? {}
  const isOther = language !== undefined && language !== tag
  const set = (field: (typeof fields)[number], value: string) => {
    const next = changed(own, { [field]: value })
    const all = changed(texts, { [tag]: Object.keys(next).length === 0 ? undefined : next })
    onChange(
      changed(wheel, { texts: Object.keys(all).length === 0 ? undefined : all }),
      `texts ${tag} ${field}`,
    )
  }
  return (
    <Stack>
      <OutdatedNotice {...{ wheel, onChange, isReadOnly, tag }} />
      <Paper>
        <Stack>
          <Languages {...props} />
          <Text size="sm" c="dimmed">
            {t('texts.text')}
          </Text>
          <fieldset disabled={isReadOnly} className="plain">
            <Stack gap="sm" key={tag}>
              {fields.map((field) => (
                <TranslatedField
                  key={field}
                  editor={props}
                  place={{ language: tag, field }}
                  label={t(`texts.${field}`)}
                  placeholder={(isOther && texts[language]?.[field]) || t('texts.own')}
                  value={own[field] ?? ''}
                  lengthMax={200}
                  error={errorAt(errors, `/texts/${tag}/${field}`)}
                  onChange={(value) => set(field, value)}
                />
              ))}
              {isOther ? <TranslationFields {...props} /> : null}
            </Stack>
          </fieldset>
        </Stack>
      </Paper>
    </Stack>
  )
}
