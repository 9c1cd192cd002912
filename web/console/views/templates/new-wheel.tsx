/** Creates a wheel, from a template or empty, with a preview that can be played. */
import { Grid, Modal, Select, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { languageTags } from '../../../game/languages.ts'
import { themes } from '../../../game/themes.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { useApi, useRead } from '../../session.tsx'
import { habits, t } from '../../texts.ts'
import { newWheel } from '../editor/new-wheel.ts'
import { Preview } from '../editor/preview.tsx'
import { slugOf } from '../editor/slug.ts'
import { Swatch } from '../editor/theme-picker.tsx'
import { fromTemplate } from './from-template.ts'
import { loadPhrases, type Phrases } from './phrases.ts'
import { type TemplateName, templateNames, templates } from './templates.ts'
import './templates.css'

type Choice = TemplateName | 'empty'
const choices: readonly Choice[] = [...templateNames, 'empty']

export function NewWheel({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} size="65rem" title={<Text fw={650}>{t('wheels.new')}</Text>}>
      <NewWheelForm />
    </Modal>
  )
}

function NewWheelForm() {
  const api = useApi()
  const [, go] = useLocation()
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const [choice, setChoice] = useState<Choice>('shop')
  const [name, setName] = useState('')
  const [language, setLanguage] = useState(ownLanguage)
  const phrases = useQuery({ queryKey: ['templates'], queryFn: loadPhrases, staleTime: Infinity }).data
  const wheel = useMemo(
    () => makeWheel(choice, { name: name.trim() || t(`template.${choice}`), language, phrases }),
    [choice, name, language, phrases],
  )
  const create = useMutation({
    mutationFn: async (slug: string) => {
      await api.put(`/api/v1/wheels/${slug}`, wheel)
      return slug
    },
    onSuccess: (slug) => go(`/m/${api.merchant}/wheels/${slug}`),
    onError: tellProblem,
  })
  const taken = wheels.data?.wheels.map((one) => one.wheel) ?? []
  return (
    <Form onSubmit={() => wheel !== undefined && create.mutate(slugOf(wheel.name, taken))}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, sm: 7 }}>
          <Stack>
            <Templates choice={choice} onChoice={setChoice} />
            <TextInput
              label={t('wheels.name')}
              description={t('wheels.nameHint')}
              placeholder={t(`template.${choice}`)}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={80}
              data-autofocus
            />
            {choice === 'empty' ? null : (
              <Select
                label={t('template.language')}
                description={t('template.languageHint', { count: languageTags.length })}
                data={languageTags.map((value) => ({ value, label: nameOf(value) }))}
                value={language}
                allowDeselect={false}
                onChange={(value) => value !== null && setLanguage(value)}
              />
            )}
            <Submit loading={create.isPending}>{t('wheels.create')}</Submit>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 5 }}>
          {wheel === undefined ? null : <Preview wheel={wheel} language={null} opening={undefined} />}
        </Grid.Col>
      </Grid>
    </Form>
  )
}

function Templates({ choice, onChoice }: { choice: Choice; onChoice: (choice: Choice) => void }) {
  return (
    <div role="group" aria-label={t('template.choose')} className="templates">
      {choices.map((one) => (
        <UnstyledButton
          key={one}
          type="button"
          className="template"
          aria-pressed={one === choice}
          onClick={() => onChoice(one)}
        >
          <Swatch theme={themes[one === 'empty' ? 'minimal' : templates[one].theme]} />
          <span>
            <Text span size="sm" fw={650} display="block">
              {t(`template.${one}`)}
            </Text>
            <Text span size="xs" c="dimmed" display="block">
              {t(`template.${one}Text`)}
            </Text>
          </span>
        </UnstyledButton>
      ))}
    </div>
  )
}

type Wishes = { name: string; language: string; phrases: Record<string, Phrases> | undefined }

function makeWheel(choice: Choice, { name, language, phrases }: Wishes) {
  if (choice === 'empty') return newWheel(name)
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return phrases === undefined ? undefined : fromTemplate(choice, { name, timeZone, language, phrases })
}

/** The browser's language, if the game page has it. */
function ownLanguage(): string {
  const tag = new Intl.Locale(habits).language
  return languageTags.includes(tag) ? tag : 'en'
}

function nameOf(tag: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag
}
