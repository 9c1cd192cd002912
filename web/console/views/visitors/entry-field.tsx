import { ActionIcon, Checkbox, Group, Stack, Text } from '@mantine/core'
import { entryLabelLengthMax } from '../../../../src/entries/entry-limits.ts'
import {
  type EntryField,
  type EntryFieldTime,
  entryFieldTimes,
  labelIn,
} from '../../../../src/entries/form.ts'
import type { FieldError } from '../../../../src/http/answers/shapes.ts'
import { Icon } from '../../parts/icons.tsx'
import { Select } from '../../parts/inputs.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { t } from '../../texts.ts'
import { errorAt } from '../editor/checks.tsx'
import { languageName } from '../editor/texts/language-name.ts'
import { ChoiceOptions } from './choice-options.tsx'
import { withLabel } from './entry-draft.ts'

type FieldProps = {
  field: EntryField
  at: number
  count: number
  language: string
  problems: readonly FieldError[]
  isReadOnly: boolean
  onChange: (change: Partial<EntryField>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** One field of the form. */
export function EntryFieldRow(props: FieldProps) {
  const { field, at, count, language, problems, isReadOnly, onChange } = props
  const { kind, labels } = field
  return (
    <li className="entry-field">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text fw={600}>{t(`visitors.kind.${kind}`)}</Text>
          {isReadOnly || count === 1 ? null : <FieldActions {...props} />}
        </Group>
        <TextField
          label={t(kind === 'consent' ? 'visitors.consentLabel' : 'visitors.label', {
            language: languageName(language),
          })}
          placeholder={labelIn(labels, language)}
          value={labels[language] ?? ''}
          lengthMax={entryLabelLengthMax}
          error={errorAt(problems, `/fields/${at}/labels`)}
          onChange={(text) => onChange({ labels: withLabel(labels, language, text) })}
        />
        {field.options === undefined ? null : (
          <ChoiceOptions
            options={field.options}
            language={language}
            errorOf={(index) => errorAt(problems, `/fields/${at}/options/${index}`)}
            isReadOnly={isReadOnly}
            onChange={(options) => onChange({ options })}
          />
        )}
        {kind === 'email' ? null : <When {...props} />}
        {kind === 'birth' && field.when === 'entry' ? <MinimumAge {...props} /> : null}
        {kind === 'consent' ? <Purpose {...props} /> : null}
        <Required {...props} />
      </Stack>
    </li>
  )
}

function FieldActions({ field, at, count, onMove, onRemove }: FieldProps) {
  const name = t(`visitors.kind.${field.kind}`)
  return (
    <Group gap={4} wrap="nowrap">
      {(['up', 'down'] as const).map((way) => (
        <ActionIcon
          key={way}
          variant="subtle"
          color="gray"
          aria-label={t(way === 'up' ? 'visitors.moveUp' : 'visitors.moveDown', { name })}
          disabled={way === 'up' ? at === 0 : at === count - 1}
          onClick={() => onMove(way === 'up' ? -1 : 1)}
        >
          <Icon name={way} size={16} />
        </ActionIcon>
      ))}
      {field.kind === 'email' ? null : (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('visitors.remove', { name })}
          onClick={onRemove}
        >
          <Icon name="trash" size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}

/** The address always is. Consent to marketing never is, or it would not be given freely. */
function Required({ field, isReadOnly, onChange }: FieldProps) {
  const { kind, purpose, isRequired, minimumAge } = field
  if (kind === 'email' || purpose === 'marketing')
    return (
      <Text size="sm" c="dimmed">
        {t(kind === 'email' ? 'visitors.emailText' : 'visitors.marketingText')}
      </Text>
    )
  return (
    <Checkbox
      label={t(kind === 'consent' ? `visitors.mustAgree.${field.when}` : 'visitors.required')}
      checked={isRequired}
      disabled={isReadOnly || minimumAge !== undefined}
      onChange={(event) => onChange({ isRequired: event.currentTarget.checked })}
    />
  )
}

const noMinimum: object = { minimumAge: undefined }

/** A minimum age is asked before anybody plays, so it goes when the field moves. */
function When({ field: { when }, at, problems, isReadOnly, onChange }: FieldProps) {
  const choose = (next: string | null) =>
    onChange({ when: next as EntryFieldTime, ...(next === 'entry' ? {} : noMinimum) })
  return (
    <Select
      label={t('visitors.when')}
      description={when === 'entry' ? undefined : t(`visitors.whenText.${when}`)}
      data={entryFieldTimes.map((value) => ({ value, label: t(`visitors.when.${value}`) }))}
      value={when}
      allowDeselect={false}
      disabled={isReadOnly}
      error={errorAt(problems, `/fields/${at}/when`)}
      onChange={choose}
    />
  )
}

/** Who could leave it out would pass. */
function MinimumAge({ field, onChange }: FieldProps) {
  return (
    <NumberField
      label={t('visitors.minimumAge')}
      description={t('visitors.minimumAgeText')}
      value={field.minimumAge}
      min={1}
      max={120}
      canBeEmpty
      onChange={(minimumAge) =>
        onChange({
          minimumAge,
          ...(minimumAge === undefined ? {} : { isRequired: true }),
        } as Partial<EntryField>)
      }
    />
  )
}

const purposes = ['marketing', 'other'] as const

function Purpose({ field, isReadOnly, onChange }: FieldProps) {
  const choose = (purpose: string | null) =>
    purpose === 'marketing' ? onChange({ purpose, isRequired: false }) : onChange({ purpose: 'other' })
  return (
    <Select
      label={t('visitors.purpose')}
      data={purposes.map((value) => ({ value, label: t(`visitors.purpose.${value}`) }))}
      value={field.purpose ?? 'marketing'}
      allowDeselect={false}
      disabled={isReadOnly}
      onChange={choose}
    />
  )
}
