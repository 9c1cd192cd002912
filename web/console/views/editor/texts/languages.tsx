/** Which language the labels are in, which one is being edited, others to add, and one to remove. */
import { Button, Select } from '@mantine/core'
import {
  outdatedTranslations,
  removeTranslations,
} from '../../../../../src/wheel-document/translated-from.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { Icon } from '../../../parts/icons.tsx'
import { tellDone } from '../../../parts/notify.ts'
import { t } from '../../../texts.ts'
import { changed } from '../draft/change.ts'
import { errorAt } from '../checks.tsx'
import type { EditorProps } from '../editor-props.ts'
import { LanguageChoice, languagesWith } from './language-choice.tsx'
import { languageName } from './language-name.ts'

export function Languages(props: EditorProps & { tag: string; onTag: (tag: string) => void }) {
  const { wheel, onChange, isReadOnly, errors, tag, onTag } = props
  const used = tagsOf(wheel)
  const outdated = outdatedTranslations(wheel)
  const remove = () => {
    onChange(
      removeTranslations(wheel, ({ language }) => language === tag),
      `remove ${tag}`,
    )
    tellDone(t('texts.removed', { language: languageName(tag) }))
  }
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
        countsOf={(one) => ({
          count: textsIn(wheel, one),
          outdated: outdated.filter(({ language }) => language === one).length,
        })}
        tag={tag}
        onTag={onTag}
        isReadOnly={isReadOnly}
      />
      {isReadOnly || tag === wheel.language || textsIn(wheel, tag) === 0 ? null : (
        <Button
          variant="subtle"
          color="red"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<Icon name="trash" size={14} />}
          onClick={remove}
        >
          {t('texts.remove', { language: languageName(tag) })}
        </Button>
      )}
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
