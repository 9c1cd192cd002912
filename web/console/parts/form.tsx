import { Button, type ButtonProps, Stack, type StackProps } from '@mantine/core'

/** Fields one below the other, sent by a `Submit` among them. */
export function Form({ onSubmit, ...stack }: Omit<StackProps, 'onSubmit'> & { onSubmit: () => void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Stack {...stack} />
    </form>
  )
}

export function Submit(props: ButtonProps) {
  return <Button type="submit" {...props} />
}
