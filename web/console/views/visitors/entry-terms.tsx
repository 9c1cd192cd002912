/** The terms that every promotion needs: facts for all, and the whole text by language or at an address. */
import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { entryTermsLengthMax } from '../../../../src/entries/entry-limits.ts'
import type { EntryTerms } from '../../../../src/entries/form.ts'
import { TextareaField, TextField } from '../../parts/text-field.tsx'
import { t } from '../../texts.ts'
import { errorAt } from '../editor/checks.tsx'
import { languageName } from '../editor/texts/language-name.ts'
import { withLabel } from './entry-draft.ts'
import type { EntryPart } from './entry-form.tsx'

const facts = [
  'organiser',
  'postalAddress',
  'whoMayEnter',
  'limitPerPerson',
  'howToClaim',
  'privacyAddress',
] as const

const factLengthMax = 500
const addressLengthMax = 2_000

export function EntryTermsFields({ draft, set, problems, language }: EntryPart) {
  const { terms } = draft
  const put = (change: Partial<EntryTerms>) => set({ terms: { ...terms, ...change } })
  return (
    <Paper component="section" aria-labelledby="visitors-terms">
      <Title order={2} id="visitors-terms">
        {t('visitors.terms')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('visitors.termsText')}
      </Text>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {facts.map((name) => (
            <TextareaField
              key={name}
              label={t(`visitors.${name}`)}
              placeholder={t(`visitors.${name}Example`)}
              value={terms[name]}
              lengthMax={factLengthMax}
              error={errorAt(problems, `/terms/${name}`)}
              autosize
              minRows={1}
              onChange={(text) => put({ [name]: withoutTabs(text) })}
            />
          ))}
        </SimpleGrid>
        <TextareaField
          key={language}
          label={t('visitors.wholeTerms', { language: languageName(language) })}
          value={terms.texts[language] ?? ''}
          lengthMax={entryTermsLengthMax}
          error={errorAt(problems, '/terms/texts')}
          autosize
          minRows={4}
          maxRows={16}
          onChange={(text) => put({ texts: withLabel(terms.texts, language, withoutTabs(text)) })}
        />
        <TextField
          label={t('visitors.termsAddress')}
          description={t('visitors.termsAddressText')}
          placeholder="https://shop.example/terms"
          inputMode="url"
          value={terms.address ?? ''}
          lengthMax={addressLengthMax}
          error={errorAt(problems, '/terms/address')}
          onChange={(text) => put({ address: text === '' ? null : text })}
        />
      </Stack>
    </Paper>
  )
}

/** Pasted from a word processor, for example; the server takes none. */
function withoutTabs(text: string): string {
  return text.replaceAll('\t', ' ')
}
