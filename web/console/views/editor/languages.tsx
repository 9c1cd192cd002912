/** Which language the labels are in, which one is being edited, and others to add. */
import { Button, Group, Select, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import type { WheelDocument } from '../../../../src/wheels/wheel-document.ts'
import { languageTags } from '../../../game/languages.ts'
import { TextInput } from '../../parts/inputs.tsx'
import { t } from '../../texts.ts'
import { changed } from './change.ts'
import { errorAt } from './checks.tsx'
import type { EditorProps } from './editor-props.ts'

export function Languages(props: EditorProps & { tag: string; onTag: (tag: string) => void }) {
  const { wheel, onChange, isReadOnly, errors, tag, onTag } = props
  const [added, setAdded] = useState('')
  const tags = [...new Set([...languageTags, ...tagsOf(wheel), tag])]
  const data = tags.map((value) => ({ value, label: nameOf(value) }))
  const isNew = isTag(added) && !tags.includes(added)
  const add = () => {
    onTag(added)
    setAdded('')
  }
  return (
    <>
      <Select
        label={t('texts.default')}
        description={t('texts.defaultHint')}
        data={data}
        value={wheel.language ?? null}
        clearable
        disabled={isReadOnly}
        error={errorAt(errors, '/language')}
        onChange={(value) => onChange(changed(wheel, { language: value ?? undefined }), 'language')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'start' }}>
        <Select
          label={t('texts.language')}
          data={data.map((one) => ({ ...one, label: written(wheel, one) }))}
          value={tag}
          allowDeselect={false}
          onChange={(value) => value !== null && onTag(value)}
        />
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            label={t('texts.other')}
            placeholder="pt-BR"
            style={{ flex: 1, minWidth: 0 }}
            value={added}
            disabled={isReadOnly}
            error={added === '' || isTag(added) ? null : t('texts.noTag')}
            onChange={(event) => setAdded(event.currentTarget.value.trim())}
          />
          <Button variant="default" flex="none" mt={25} disabled={!isNew || isReadOnly} onClick={add}>
            {t('texts.add')}
          </Button>
        </Group>
      </SimpleGrid>
    </>
  )
}

/** Every language that the wheel has texts in. */
function tagsOf({ language, texts = {}, segments }: WheelDocument): string[] {
  const translations = segments.flatMap((segment) => Object.keys(segment.translations ?? {}))
  return [...(language === undefined ? [] : [language]), ...Object.keys(texts), ...translations]
}

function written(
  { texts = {}, segments }: WheelDocument,
  { value, label }: { value: string; label: string },
): string {
  const translations = segments.flatMap((segment) => Object.keys(segment.translations?.[value] ?? {}))
  const count = Object.keys(texts[value] ?? {}).length + translations.length
  return count === 0 ? label : t('texts.written', { name: label, count })
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

function nameOf(tag: string): string {
  return languageNames.of(tag) ?? tag
}

/** A tag of a language that is known. `german` has the form of a tag, but no browser asks for it. */
function isTag(text: string): boolean {
  try {
    return (
      /^[a-z]{2,3}(-|$)/.test(text) && nameOf(text) !== text && Intl.getCanonicalLocales(text).length === 1
    )
  } catch {
    return false
  }
}
