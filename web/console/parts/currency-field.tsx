import type { SelectProps } from '@mantine/core'
import { habits, t } from '../texts.ts'
import { Select } from './inputs.tsx'

const names = new Intl.DisplayNames(habits, { type: 'currency' })
const none = 'none'

/** A currency, found by typing its code or a part of its name. Null for none. */
export function CurrencyField({
  value,
  onChange,
  ...input
}: Pick<SelectProps, 'description' | 'disabled' | 'maw'> & {
  value: string | null
  onChange: (currency: string | null) => void
}) {
  return (
    <Select
      {...input}
      label={t('field.currency')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={choices()}
      value={value ?? none}
      searchable
      // The first that fits is taken by Enter, and when the field is left.
      selectFirstOptionOnChange
      autoSelectOnBlur
      // What is typed replaces the currency that is there.
      onFocus={(event) => event.currentTarget.select()}
      allowDeselect={false}
      limit={50}
      onChange={(code) => code !== null && onChange(code === none ? null : code)}
    />
  )
}

let known: { value: string; label: string }[] | undefined

function choices() {
  known ??= [
    { value: none, label: t('currency.none') },
    ...Intl.supportedValuesOf('currency').map((code) => ({
      value: code,
      label: `${code} – ${names.of(code) ?? code}`,
    })),
  ]
  return known
}
