import { Button, Group, Modal, Switch, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { PrizeAnswer } from '../../../src/http/answers/prizes.ts'
import { Form, ReasonInput, Submit } from '../parts/form.tsx'
import { formatTime, t } from '../texts.ts'
import { visibleText } from '../../../src/visible-text.ts'

export type DialogProps<Body> = {
  prize: PrizeAnswer
  opened: boolean
  isRunning: boolean
  returnFocus: boolean
  onClose: () => void
  onConfirm: (body: Body) => void
}

/** Asks once. At a till, the button has the focus, so that Enter redeems. */
export function RedeemPrize({ prize, onConfirm, ...props }: DialogProps<void>) {
  return (
    <Dialog {...props} title={t('prizes.redeemTitle', { label: prize.label })} onSubmit={onConfirm}>
      <Text size="sm">{t('prizes.redeemText', { player: visibleText(prize.playerId) })}</Text>
      <Buttons {...props}>
        <Submit loading={props.isRunning} data-autofocus>
          {t('prizes.redeem')}
        </Submit>
      </Buttons>
    </Dialog>
  )
}

export function ReverseRedemption({ prize, onConfirm, ...props }: DialogProps<{ reason: string }>) {
  const [reason, setReason] = useState('')
  const until = prize.reversibleUntil
  return (
    <Dialog
      {...props}
      title={t('prizes.reverseTitle', { label: prize.label })}
      onSubmit={() => onConfirm({ reason: reason.trim() })}
    >
      <Text size="sm">{t('prizes.reverseText', { player: visibleText(prize.playerId) })}</Text>
      {until === null ? null : (
        <Text size="sm" c="dimmed">
          {t('prizes.reversible', { when: formatTime(until) })}
        </Text>
      )}
      <ReasonInput value={reason} onChange={setReason} hasFocus />
      <Buttons {...props}>
        <Submit color="red" loading={props.isRunning} disabled={reason.trim() === ''}>
          {t('prizes.reverse')}
        </Submit>
      </Buttons>
    </Dialog>
  )
}

export function CancelPrize({
  prize,
  onConfirm,
  ...props
}: DialogProps<{ reason: string; returnStock: boolean }>) {
  const [reason, setReason] = useState('')
  const [returnStock, setReturnStock] = useState(true)
  return (
    <Dialog
      {...props}
      title={t('prizes.cancelTitle', { label: prize.label })}
      onSubmit={() => onConfirm({ reason: reason.trim(), returnStock })}
    >
      <Text size="sm">{t('prizes.cancelText')}</Text>
      <ReasonInput value={reason} onChange={setReason} hasFocus />
      <Switch
        label={t('prizes.returnStock')}
        checked={returnStock}
        onChange={(event) => setReturnStock(event.currentTarget.checked)}
      />
      <Buttons {...props}>
        <Submit color="red" loading={props.isRunning} disabled={reason.trim() === ''}>
          {t('prizes.cancel')}
        </Submit>
      </Buttons>
    </Dialog>
  )
}

export function Dialog(props: {
  opened: boolean
  title: string
  returnFocus: boolean
  onClose: () => void
  onSubmit: () => void
  children: ReactNode
}) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      returnFocus={props.returnFocus}
      title={<Text fw={650}>{props.title}</Text>}
    >
      <Form onSubmit={props.onSubmit}>{props.children}</Form>
    </Modal>
  )
}

export function Buttons({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onClose}>
        {t('action.back')}
      </Button>
      {children}
    </Group>
  )
}
