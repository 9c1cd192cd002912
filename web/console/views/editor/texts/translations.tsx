/** Labels, prize titles and instructions of all segments in one other language. */
import { Stack, Text } from '@mantine/core'
import type { WheelDocument, WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { TextareaField, TextField } from '../../../parts/text-field.tsx'
import { t } from '../../../texts.ts'
import { changed, changedSegment } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import type { EditorProps } from '../editor-props.ts'
import { outdatedSource, type TranslatedField } from './outdated-translations.ts'

type TranslationProps = EditorProps & { translated: WheelDocument | undefined; tag: string }

export function TranslationFields(props: TranslationProps) {
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('texts.translations')}
      </Text>
      {props.wheel.segments.map((segment, index) => (
        <SegmentTranslation key={segment.id} {...props} segment={segment} index={index} />
      ))}
    </Stack>
  )
}

function SegmentTranslation(props: TranslationProps & { segment: WheelSegment; index: number }) {
  const { wheel, translated, onChange, errors, tag, segment, index } = props
  const own = segment.translations?.[tag] ?? {}
  const set = (field: TranslatedField, value: string) => {
    const next = changed(own, { [field]: value })
    const all = changed(segment.translations ?? {}, {
      [tag]: Object.keys(next).length === 0 ? undefined : next,
    })
    const translations = Object.keys(all).length === 0 ? undefined : all
    onChange(changedSegment(wheel, index, { translations }), `${segment.id} ${tag} ${field}`)
  }
  const shared = (field: TranslatedField, lengthMax: number) => ({
    label: t('texts.of', { field: t(`field.${field}`), label: segment.label }),
    description: hintOf(outdatedSource(translated, segment, { tag, field })),
    placeholder: segment[field] ?? '',
    value: own[field] ?? '',
    lengthMax,
    error: errorAt(errors, `/segments/${index}/translations/${tag}/${field}`),
    onChange: (text: string) => set(field, text),
  })
  return (
    <>
      <TextField {...shared('label', 40)} />
      {segment.title === undefined ? null : <TextField {...shared('title', 120)} />}
      {segment.instructions === undefined ? null : (
        <TextareaField autosize {...shared('instructions', 500)} />
      )}
    </>
  )
}

function hintOf(source: string | undefined): string | undefined {
  return source === undefined ? undefined : t('texts.outdated', { text: source })
}
