/** The templates to choose from, and the wheel that the chosen one makes. */
import { Select, Stack, Text, UnstyledButton } from '@mantine/core'
import { useMemo } from 'react'
import type { WheelDocument } from '../../../../src/wheel-document/wheel-document.ts'
import { languageTags } from '../../../game/texts/languages.ts'
import { themes } from '../../../game/look/themes.ts'
import { zoneOfMerchant } from '../../parts/zoned-time.ts'
import { useMerchant } from '../../session.tsx'
import { habits, t } from '../../texts.ts'
import { languageName } from '../editor/texts/language-name.ts'
import { Swatch } from '../editor/look/theme-picker.tsx'
import { emptyWheel, fromTemplate } from './from-template.ts'
import { usePhrases } from './phrases.ts'
import { type TemplateName, templateNames, templates } from './templates.ts'
import './templates.css'

type Choice = { template: TemplateName | 'empty'; language: string }
const choices: readonly Choice['template'][] = [...templateNames, 'empty']

/** The browser's language, if the game page has it. */
export function firstChoice(): Choice {
  const tag = new Intl.Locale(habits).language
  return { template: 'shop', language: languageTags.includes(tag) ? tag : 'en' }
}

export function TemplateChoice({ choice, onChoice }: { choice: Choice; onChoice: (choice: Choice) => void }) {
  return (
    <Stack>
      <div role="group" aria-label={t('template.choose')} className="templates">
        {choices.map((template) => (
          <UnstyledButton
            key={template}
            type="button"
            className="template"
            aria-pressed={template === choice.template}
            onClick={() => onChoice({ ...choice, template })}
          >
            <Swatch theme={themes[template === 'empty' ? 'minimal' : templates[template].theme]} />
            <span>
              <Text span size="sm" fw={650} display="block">
                {t(`template.${template}`)}
              </Text>
              <Text span size="xs" c="dimmed" display="block">
                {t(`template.${template}Text`)}
              </Text>
            </span>
          </UnstyledButton>
        ))}
      </div>
      <Select
        label={t('template.language')}
        description={t('template.languageHint', { count: languageTags.length })}
        data={languageTags.map((value) => ({ value, label: languageName(value) }))}
        value={choice.language}
        allowDeselect={false}
        onChange={(language) => language !== null && onChoice({ ...choice, language })}
      />
    </Stack>
  )
}

/** Undefined while the phrases are loading. */
export function useTemplateWheel({ template, language }: Choice, name: string): WheelDocument | undefined {
  const phrases = usePhrases()
  const timeZone = zoneOfMerchant(useMerchant())
  return useMemo(() => {
    const wishes = phrases && { name, timeZone, language, phrases }
    if (template === 'empty') return wishes && emptyWheel(wishes)
    return wishes && fromTemplate(template, wishes)
  }, [template, language, name, phrases, timeZone])
}
