import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { entryLabelLengthMax, entryOptionsMax } from '../../../../src/entries/entry-limits.ts'
import { type EntryField, labelIn } from '../../../../src/entries/form.ts'
import { Icon } from '../../parts/icons.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { t } from '../../texts.ts'
import { newOption, withLabel } from './entry-draft.ts'

type Options = NonNullable<EntryField['options']>

/** The answers among which a visitor chooses. */
export function ChoiceOptions(props: {
  options: Options
  language: string
  errorOf: (index: number) => string | null
  isReadOnly: boolean
  onChange: (options: Options) => void
}) {
  const { options, language, errorOf, isReadOnly, onChange } = props
  return (
    <Stack gap="xs" role="group" aria-label={t('visitors.options')}>
      <Text size="sm" fw={500}>
        {t('visitors.options')}
      </Text>
      {options.map((option, index) => (
        <Group key={option.id} gap="xs" wrap="nowrap" align="flex-start">
          <TextField
            aria-label={t('visitors.option', { number: index + 1 })}
            placeholder={labelIn(option.labels, language)}
            value={option.labels[language] ?? ''}
            lengthMax={entryLabelLengthMax}
            error={errorOf(index)}
            style={{ flex: 1 }}
            onChange={(text) => {
              const labels = withLabel(option.labels, language, text)
              onChange(options.map((one) => (one === option ? { ...one, labels } : one)))
            }}
          />
          {isReadOnly || options.length === 1 ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('visitors.removeOption', { number: index + 1 })}
              onClick={() => onChange(options.filter((one) => one !== option))}
            >
              <Icon name="trash" size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {isReadOnly || options.length >= entryOptionsMax ? null : (
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...options, newOption(options)])}
        >
          {t('visitors.addOption')}
        </Button>
      )}
    </Stack>
  )
}
