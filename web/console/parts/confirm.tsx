/** Asks for confirmation before an action that can't be undone; for the most serious, the name has to be typed. */
import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { t } from '../texts.ts'
import { Form, Submit } from './form.tsx'

export function Confirm(props: {
  opened: boolean
  title: string
  text: ReactNode
  action: string
  /** The text that has to be typed. */
  name?: string
  isRunning?: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const isRight = props.name === undefined || typed === props.name
  const close = () => {
    setTyped('')
    props.onClose()
  }
  return (
    <Modal opened={props.opened} onClose={close} title={<Text fw={650}>{props.title}</Text>}>
      <Form
        onSubmit={() => {
          if (isRight) props.onConfirm()
          setTyped('')
        }}
      >
        <Text size="sm" component="div">
          {props.text}
        </Text>
        {props.name === undefined ? null : (
          <TextInput
            label={t('confirm.type', { name: props.name })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            onClick={close}
            {...(props.name === undefined ? { 'data-autofocus': true } : {})}
          >
            {t('action.cancel')}
          </Button>
          <Submit color="red" disabled={!isRight} loading={props.isRunning === true}>
            {props.action}
          </Submit>
        </Group>
      </Form>
    </Modal>
  )
}
