/** Subject and text of a message in one language, and what they may name. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { type MessageText, placeholdersOf, textLengthMax } from '../../../../src/messages/message-texts.ts'
import { asSentence } from '../../parts/problem-words.ts'
import { TextareaField, TextField } from '../../parts/text-field.tsx'
import { t } from '../../texts.ts'
import { languageName } from '../editor/texts/language-name.ts'
import { type TextPlace, type TextProblem, withPlaceholder } from './use-texts.ts'

type Part = keyof MessageText
type Field = HTMLInputElement | HTMLTextAreaElement

export function MessageTextFields(props: {
  place: TextPlace
  text: MessageText
  problems: readonly TextProblem[]
  /** An empty field is not marked while somebody is only beginning. */
  hasTried: boolean
  isReadOnly: boolean
  onChange: (change: Partial<MessageText>) => void
}) {
  const { place, text, problems, hasTried, isReadOnly, onChange } = props
  const id = useId()
  const [focused, setFocused] = useState<Part | null>(null)
  const [last, setLast] = useState<Part>('lead')
  const insert = (name: string) => {
    const field = document.getElementById(`${id}-${last}`) as Field
    onChange({ [last]: withPlaceholder(field, name) })
    field.focus()
  }
  const fieldOf = (part: Part) => ({
    id: `${id}-${part}`,
    label: t(`messages.${part}`, { language: languageName(place.language) }),
    value: text[part],
    lengthMax: textLengthMax[part],
    disabled: isReadOnly,
    error: hasTried || focused !== part ? problemAt(problems, { ...place, part, hasTried }) : null,
    onFocus: () => {
      setFocused(part)
      setLast(part)
    },
    onBlurCapture: () => setFocused(null),
    onChange: (next: string) => onChange({ [part]: next }),
  })
  return (
    <Stack gap="sm">
      <TextField {...fieldOf('subject')} />
      <TextareaField {...fieldOf('lead')} autosize minRows={3} maxRows={12} />
      {isReadOnly ? null : <Placeholders place={place} last={last} onInsert={insert} />}
    </Stack>
  )
}

/** Buttons that put a placeholder into the field that was edited last. */
function Placeholders(props: { place: TextPlace; last: Part; onInsert: (name: string) => void }) {
  const { place, last, onInsert } = props
  return (
    <Group gap={6} role="group" aria-label={t('messages.placeholders')}>
      <Text size="sm" c="dimmed" component="span">
        {t(`messages.insertInto.${last}`)}
      </Text>
      {placeholdersOf[place.kind].map((name) => (
        <Button
          key={name}
          size="compact-sm"
          variant="default"
          // The field keeps its focus, and the place in its text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onInsert(name)}
        >
          {`{${name}}`}
        </Button>
      ))}
    </Group>
  )
}

function problemAt(
  problems: readonly TextProblem[],
  { kind, language, part, hasTried }: TextPlace & { part: Part; hasTried: boolean },
): string | null {
  const found = problems.find(
    (one) =>
      one.kind === kind && one.language === language && one.part === part && (hasTried || one.text !== ''),
  )
  return found === undefined ? null : asSentence(found.detail)
}
