import type { TextareaProps, TextInputProps } from '@mantine/core'
import { t } from '../texts.ts'
import { Textarea, TextInput } from './inputs.tsx'
import { useTypedText } from './typed-text.ts'

type Limited<Props> = Omit<Props, 'value' | 'onChange' | 'maxLength'> & {
  value: string
  lengthMax: number
  onChange: (text: string) => void
}

/**
 * A text with a limit. A longer one stays in the field with an error; it is not cut, so nothing pasted is lost
 * silently. Spaces at its ends are left out.
 */
export function TextField(props: Limited<TextInputProps>) {
  return <TextInput {...useLimitedText(props, (text) => text.trim())} />
}

/** The same for text of several lines, as it is typed. */
export function TextareaField(props: Limited<TextareaProps>) {
  return <Textarea {...useLimitedText(props, (text) => text)} />
}

function useLimitedText<Props extends TextInputProps | TextareaProps>(
  props: Limited<Props>,
  meaning: (text: string) => string,
) {
  const { value, lengthMax, error, onChange, ...input } = props
  const typed = useTypedText({
    value,
    show: (text) => text,
    read: (text) => {
      const meant = meaning(text)
      const problem = lengthProblem(meant.length, lengthMax)
      return problem === null ? { value: meant } : { problem }
    },
    onChange,
  })
  return {
    ...input,
    value: typed.text,
    error: typed.problem ?? error,
    onChange: (event: { currentTarget: { value: string } }) => typed.type(event.currentTarget.value),
    onBlur: typed.leave,
  }
}

export function lengthProblem(length: number, max: number): string | null {
  return length > max ? t('text.long', { max, count: length - max }) : null
}
