/** The fields of the form, in their order, with their labels in one language at a time. */
import { Button, Menu, Paper, Stack, Text, Title } from '@mantine/core'
import { entryFieldsMax } from '../../../../src/entries/entry-limits.ts'
import type { EntryField, EntrySettings } from '../../../../src/entries/form.ts'
import type { FieldError } from '../../../../src/http/answers/shapes.ts'
import { Icon } from '../../parts/icons.tsx'
import { tellFirst } from '../../parts/notify.ts'
import { CollectUnfinished, focusUnfinished, useUnfinishedPart } from '../../parts/unfinished.tsx'
import { t } from '../../texts.ts'
import { LanguageChoice } from '../editor/texts/language-choice.tsx'
import { addedKinds, newField } from './entry-draft.ts'
import { EntryFieldRow } from './entry-field.tsx'

export type EntryPart = {
  draft: EntrySettings
  set: (change: Partial<EntrySettings>) => void
  problems: readonly FieldError[]
  isReadOnly: boolean
  /** In which texts are edited. */
  language: string
}

export function EntryForm({
  draft,
  set,
  problems,
  isReadOnly,
  language,
  onLanguage,
}: EntryPart & { onLanguage: (language: string) => void }) {
  const { fields, terms } = draft
  const unfinished = useUnfinishedPart()
  const used = [...fields.flatMap(({ labels }) => Object.keys(labels)), ...Object.keys(terms.texts)]
  const put = (next: EntryField[]) => set({ fields: next })
  return (
    <Paper component="section" aria-labelledby="visitors-form">
      <Title order={2} id="visitors-form">
        {t('visitors.form')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('visitors.formText')}
      </Text>
      <Stack gap="md">
        <LanguageChoice
          used={[...new Set(used)]}
          countsOf={() => ({ count: 0, outdated: 0 })}
          tag={language}
          onTag={(next) => {
            if (!unfinished.hasUnfinished) return onLanguage(next)
            focusUnfinished()
            tellFirst(t('editor.unfinished'))
          }}
          isReadOnly={isReadOnly}
        />
        <CollectUnfinished value={unfinished.report}>
          <Stack gap="md" key={language} component="ol" className="plain-list">
            {fields.map((field, at) => (
              <EntryFieldRow
                key={field.id}
                {...{ field, at, language, problems, isReadOnly, count: fields.length }}
                onChange={(change) => put(fields.map((one) => (one === field ? { ...one, ...change } : one)))}
                onMove={(by) => put(moved(fields, at, by))}
                onRemove={() => put(fields.filter((one) => one !== field))}
              />
            ))}
          </Stack>
        </CollectUnfinished>
        {isReadOnly || fields.length >= entryFieldsMax ? null : (
          <AddField onAdd={(kind) => put([...fields, newField(kind, fields)])} />
        )}
      </Stack>
    </Paper>
  )
}

function AddField({ onAdd }: { onAdd: (kind: (typeof addedKinds)[number]) => void }) {
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('visitors.addField')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {addedKinds.map((kind) => (
          <Menu.Item key={kind} onClick={() => onAdd(kind)}>
            {t(`visitors.kind.${kind}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function moved(fields: readonly EntryField[], at: number, by: -1 | 1): EntryField[] {
  const next = [...fields]
  next.splice(at + by, 0, ...next.splice(at, 1))
  return next
}
