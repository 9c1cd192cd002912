import { Anchor, type TextInputProps } from '@mantine/core'
import { Link } from 'wouter'
import { useMay, useMerchant } from '../session.tsx'
import { habits, moneyInFields, t } from '../texts.ts'
import { TextInput } from './inputs.tsx'
import { type NumberProblem, type NumberRules, readNumber, showNumber } from './numbers.ts'
import { useTypedText } from './typed-text.ts'

type NumberFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'type'> & {
  value: number | undefined
  min: number
  max: number
  decimalsMax?: number
  decimalsShown?: number
  /** What the number means, below the field. Hidden while the text is no valid number. */
  meaning?: string
} & (
    | { canBeEmpty: true; onChange: (value: number | undefined) => void }
    | { canBeEmpty?: false; onChange: (value: number) => void }
  )

/** A number in the notation of any country. Shows problems while it is typed. */
export function NumberField(props: NumberFieldProps) {
  const { value, min, max, decimalsMax = 0, decimalsShown = 0, ...others } = props
  const { canBeEmpty, onChange, error, meaning, ...input } = others
  const rules = { min, max, decimalsMax }
  const typed = useTypedText<number | undefined>({
    value,
    show: (one) => (one === undefined ? '' : showNumber(one, habits, { decimalsMin: decimalsShown })),
    read: (text) => {
      if (text.trim() === '' && canBeEmpty === true) return { value: undefined }
      const reading = readNumber(text, rules, habits)
      return 'value' in reading ? reading : { problem: wordsFor(reading.problem, rules) }
    },
    // Undefined only if the field can be empty, or was empty before the typing.
    onChange: onChange as (value: number | undefined) => void,
  })
  const step = (by: number) => {
    const next = Math.min(max, Math.max(min, Math.trunc(value ?? 0) + by))
    typed.type(showNumber(next, habits, { decimalsMin: decimalsShown }))
  }
  return (
    <TextInput
      {...input}
      {...(meaning === undefined || typed.problem !== null ? {} : { description: meaning })}
      inputMode={min < 0 ? 'text' : decimalsMax > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={typed.text}
      error={typed.problem ?? error}
      onChange={(event) => typed.type(event.currentTarget.value)}
      onBlur={typed.leave}
      onKeyDown={(event) => {
        const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
        if (by === undefined) return
        event.preventDefault()
        step(by)
      }}
    />
  )
}

/** An amount of money, in the merchant's own currency. Without one, owners read where to choose it. */
export function MoneyField({ label, ...props }: NumberFieldProps & { label: string }) {
  const { merchant, currency } = useMerchant()
  const may = useMay()
  const { sign, decimals } = moneyInFields()
  const hint =
    currency === null && may.administer ? (
      <>
        {t('currency.missing')}{' '}
        <Anchor component={Link} href={`/m/${merchant}/settings`} inherit underline="always">
          {t('currency.choose')}
        </Anchor>
      </>
    ) : undefined
  return (
    <NumberField
      {...props}
      label={sign === undefined ? label : `${label} (${sign})`}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      decimalsMax={decimals}
      decimalsShown={decimals}
    />
  )
}

function wordsFor(problem: NumberProblem, { min, max, decimalsMax }: NumberRules): string {
  if (problem === 'notWhole' || (problem === 'notNumber' && decimalsMax === 0)) return t('number.notWhole')
  if (problem === 'notNumber') return t('number.notNumber')
  if (problem === 'decimals') return t('number.decimals', { count: decimalsMax })
  return t('number.range', { min, max })
}
