/** The language whose texts are edited, and a field to add another one. */
import { Button, Group, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { languageTags } from '../../../../game/texts/languages.ts'
import { t } from '../../../texts.ts'
import { languageName } from './language-name.ts'

export function LanguageChoice(props: {
  /** Every language that has texts. */
  used: readonly string[]
  /** How many texts a language has, and how many of them are outdated. */
  countsOf: (tag: string) => { count: number; outdated: number }
  tag: string
  onTag: (tag: string) => void
  isReadOnly: boolean
}) {
  const { used, countsOf, tag, onTag, isReadOnly } = props
  const [added, setAdded] = useState('')
  const tags = languagesWith([...used, tag])
  const isNew = isTag(added) && !tags.includes(added)
  const add = () => {
    onTag(added)
    setAdded('')
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'start' }}>
      <Select
        label={t('texts.language')}
        data={tags.map((value) => ({ value, label: written(languageName(value), countsOf(value)) }))}
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
  )
}

/** The languages of the game page, and these. */
export function languagesWith(tags: readonly string[]): string[] {
  return [...new Set([...languageTags, ...tags])]
}

function written(name: string, { count, outdated }: { count: number; outdated: number }): string {
  if (count === 0) return name
  return outdated === 0
    ? t('texts.written', { name, count })
    : t('texts.someOutdated', { name, count: outdated })
}

/** A tag of a language that is known. `german` has the form of a tag, but no browser asks for it. */
function isTag(text: string): boolean {
  try {
    return (
      /^[a-z]{2,3}(-|$)/.test(text) &&
      languageName(text) !== text &&
      Intl.getCanonicalLocales(text).length === 1
    )
  } catch {
    return false
  }
}
