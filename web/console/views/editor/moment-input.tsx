import { TextInput } from '@mantine/core'

/** A moment, shown and typed in the time zone of this browser. */
export function MomentInput(props: {
  label: string
  value: string | undefined
  error: string | null
  description?: string
  onChange: (iso: string | undefined) => void
}) {
  return (
    <TextInput
      type="datetime-local"
      label={props.label}
      description={props.description}
      value={props.value === undefined ? '' : toLocal(props.value)}
      error={props.error}
      onChange={(event) => {
        const moment = new Date(event.currentTarget.value)
        props.onChange(Number.isNaN(moment.getTime()) ? undefined : moment.toISOString())
      }}
    />
  )
}

function toLocal(iso: string): string {
  const moment = new Date(iso)
  if (Number.isNaN(moment.getTime())) return ''
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
