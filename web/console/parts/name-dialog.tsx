/** A dialog that asks for the name of something new. More fields may follow. */
import { Modal, type ModalProps, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../texts.ts'
import { Form, Submit } from './form.tsx'
import { TextField } from './text-field.tsx'

export function NameDialog(props: {
  opened: boolean
  title: string
  size?: ModalProps['size']
  text?: string
  label?: string
  name: string
  lengthMax: number
  action: string
  isRunning: boolean
  onName: (name: string) => void
  onSubmit: () => void
  onClose: () => void
  children?: ReactNode
}) {
  const { size = 'md', text, label = t('field.name') } = props
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      size={size}
      title={<Text fw={650}>{props.title}</Text>}
    >
      <Form onSubmit={props.onSubmit}>
        {text === undefined ? null : <Text size="sm">{text}</Text>}
        <TextField
          label={label}
          value={props.name}
          onChange={props.onName}
          required
          lengthMax={props.lengthMax}
          data-autofocus
        />
        {props.children}
        <Submit loading={props.isRunning}>{props.action}</Submit>
      </Form>
    </Modal>
  )
}
