/** Labels, prize titles and instructions of all segments in one other language. */
import { Stack, Text } from '@mantine/core'
import type { WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { t } from '../../../texts.ts'
import { changed, changedSegment } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import type { EditorProps } from '../editor-props.ts'
import { TranslatedField } from './translated-field.tsx'

const fields = [
  { field: 'label', lengthMax: 40 },
  { field: 'title', lengthMax: 120 },
  { field: 'instructions', lengthMax: 500 },
] as const

export function TranslationFields(props: EditorProps & { tag: string }) {
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

function SegmentTranslation(props: EditorProps & { tag: string; segment: WheelSegment; index: number }) {
  const { wheel, onChange, errors, tag, segment, index } = props
  const own = segment.translations?.[tag] ?? {}
  const set = (field: keyof typeof own, value: string) => {
    const next = changed(own, { [field]: value })
    const all = changed(segment.translations ?? {}, {
      [tag]: Object.keys(next).length === 0 ? undefined : next,
    })
    const translations = Object.keys(all).length === 0 ? undefined : all
    onChange(changedSegment(wheel, index, { translations }), `${segment.id} ${tag} ${field}`)
  }
  return fields
    .filter(({ field }) => segment[field] !== undefined || own[field] !== undefined)
    .map(({ field, lengthMax }) => (
      <TranslatedField
        key={field}
        editor={props}
        place={{ language: tag, segment: segment.id, field }}
        label={t('texts.of', { field: t(`field.${field}`), label: segment.label })}
        placeholder={segment[field] ?? ''}
        value={own[field] ?? ''}
        lengthMax={lengthMax}
        hasLines={field === 'instructions'}
        error={errorAt(errors, `/segments/${index}/translations/${tag}/${field}`)}
        onChange={(text) => set(field, text)}
      />
    ))
}
