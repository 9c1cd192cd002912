/** Which language the labels are in, which one is being edited, and others to add. */
import { Select } from '@mantine/core'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { t } from '../../../texts.ts'
import { changed } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import type { EditorProps } from '../editor-props.ts'
import { LanguageChoice, languagesWith } from './language-choice.tsx'
import { languageName } from './language-name.ts'

export function Languages(props: EditorProps & { tag: string; onTag: (tag: string) => void }) {
  const { wheel, onChange, isReadOnly, errors, tag, onTag } = props
  const used = tagsOf(wheel)
  return (
    <>
      <Select
        label={t('texts.default')}
        description={t('texts.defaultHint')}
        data={languagesWith([...used, tag]).map((value) => ({ value, label: languageName(value) }))}
        value={wheel.language ?? null}
        clearable
        disabled={isReadOnly}
        error={errorAt(errors, '/language')}
        onChange={(value) => onChange(changed(wheel, { language: value ?? undefined }), 'language')}
      />
      <LanguageChoice
        used={used}
        countOf={(one) => textsIn(wheel, one)}
        tag={tag}
        onTag={onTag}
        isReadOnly={isReadOnly}
      />
    </>
  )
}

/** Every language that the wheel has texts in. */
function tagsOf({ language, texts = {}, segments }: WheelDocument): string[] {
  const translations = segments.flatMap((segment) => Object.keys(segment.translations ?? {}))
  return [...(language === undefined ? [] : [language]), ...Object.keys(texts), ...translations]
}

function textsIn({ texts = {}, segments }: WheelDocument, tag: string): number {
  const translations = segments.flatMap((segment) => Object.keys(segment.translations?.[tag] ?? {}))
  return Object.keys(texts[tag] ?? {}).length + translations.length
}
