import { Button, type ButtonProps, Stack, type StackProps, Textarea } from '@mantine/core'
import { reasonLengthMax } from '../../../src/limits.ts'
import { t } from '../texts.ts'
import { lengthProblem } from './text-field.tsx'
import { CollectUnfinished, focusUnfinished, useReportUnfinished, useUnfinished } from './unfinished.tsx'

/** Fields in a column, sent by a `Submit` among them, but not while one of them is invalid. */
export function Form({ onSubmit, ...stack }: Omit<StackProps, 'onSubmit'> & { onSubmit: () => void }) {
  const { hasUnfinished, report } = useUnfinished()
  // To whatever is around the form and shows what its fields mean.
  useReportUnfinished(hasUnfinished)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (hasUnfinished) focusUnfinished(event.currentTarget)
        else onSubmit()
      }}
    >
      <CollectUnfinished value={report}>
        <Stack {...stack} />
      </CollectUnfinished>
    </form>
  )
}

export function Submit(props: ButtonProps) {
  return <Button type="submit" {...props} />
}

/** The reason for an action that can't be undone. */
export function ReasonInput(props: {
  value: string
  onChange: (reason: string) => void
  description?: string
  disabled?: boolean
  hasFocus?: boolean
}) {
  const problem = reasonProblem(props.value)
  useReportUnfinished(problem !== null)
  return (
    <Textarea
      label={t('player.reason')}
      description={props.description}
      disabled={props.disabled === true}
      value={props.value}
      // A reason is one line.
      onChange={(event) => props.onChange(event.currentTarget.value.replaceAll(/[\r\n\t]+/g, ' '))}
      error={problem}
      required
      autosize
      minRows={2}
      {...(props.hasFocus === true ? { 'data-autofocus': true } : {})}
    />
  )
}

/** What is wrong with a typed reason, or null. Spaces at its ends don't count. */
function reasonProblem(typed: string): string | null {
  const { length } = typed.trim()
  if (length === 0) return typed === '' ? null : t('player.reasonMissing')
  return lengthProblem(length, reasonLengthMax)
}
