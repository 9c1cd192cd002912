import { Paper, Stack, Text } from '@mantine/core'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { TextField } from '../../../parts/text-field.tsx'
import { t } from '../../../texts.ts'
import { changed } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import type { EditorProps } from '../editor-props.ts'
import { Languages } from './languages.tsx'
import { TranslationFields } from './translations.tsx'

const fields = ['title', 'subtitle', 'button', 'won', 'noLuck'] as const

export function TextsPanel(
  props: EditorProps & {
    translated: WheelDocument | undefined
    tag: string
    onTag: (tag: string) => void
  },
) {
  const { wheel, onChange, isReadOnly, errors, tag } = props
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
        <Languages {...props} />
        <Text size="sm" c="dimmed">
          {t('texts.text')}
        </Text>
        <fieldset disabled={isReadOnly} className="plain">
          <Stack gap="sm" key={tag}>
            {fields.map((field) => (
              <TextField
                key={field}
                label={t(`texts.${field}`)}
                placeholder={t('texts.own')}
                value={own[field] ?? ''}
                lengthMax={200}
                error={errorAt(errors, `/texts/${tag}/${field}`)}
                onChange={(value) => set(field, value)}
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
