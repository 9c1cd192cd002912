/** Buttons and dialogs to release or refuse a held prize. */
import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { PrizeAnswer } from '../../../src/http/answers/prizes.ts'
import { refusalReasons } from '../../../src/prize-kinds/hold-rule.ts'
import { visibleText } from '../../../src/visible-text.ts'
import { Submit } from '../parts/form.tsx'
import { t } from '../texts.ts'
import { Buttons, Dialog, type DialogProps } from './prize-dialogs.tsx'

export function CheckButtons(props: {
  prize: PrizeAnswer
  isWide: boolean
  isRunning: boolean
  onAsk: (noun: 'release' | 'refusal') => void
}) {
  const { prize, isWide, isRunning, onAsk } = props
  const size = isWide ? 'md' : 'xs'
  const what = { label: prize.label, player: visibleText(prize.playerId) }
  return (
    <Group gap={6} justify={isWide ? 'flex-start' : 'flex-end'} wrap="nowrap">
      <Button
        size={size}
        loading={isRunning}
        onClick={() => onAsk('release')}
        aria-label={t('check.releaseFor', what)}
      >
        {t('check.release')}
      </Button>
      <Button
        size={size}
        variant="default"
        disabled={isRunning}
        onClick={() => onAsk('refusal')}
        aria-label={t('check.refuseFor', what)}
      >
        {t('check.refuse')}
      </Button>
    </Group>
  )
}

export function ReleasePrize({ prize, onConfirm, ...props }: DialogProps<object>) {
  const title = t('check.releaseTitle', { label: prize.label })
  return (
    <Dialog {...props} title={title} onSubmit={() => onConfirm({})}>
      <Text size="sm">{t('check.releaseText', { player: visibleText(prize.playerId) })}</Text>
      <Buttons {...props}>
        <Submit loading={props.isRunning}>{t('check.release')}</Submit>
      </Buttons>
    </Dialog>
  )
}

/** The player reads the reason, so it comes from a list. */
export function RefusePrize({ prize, onConfirm, ...props }: DialogProps<object>) {
  const [reason, setReason] = useState('')
  const title = t('check.refuseTitle', { label: prize.label })
  return (
    <Dialog {...props} title={title} onSubmit={() => onConfirm({ reason })}>
      <Text size="sm">{t('check.refuseText', { player: visibleText(prize.playerId) })}</Text>
      <Radio.Group label={t('check.reason')} value={reason} onChange={setReason} required>
        <Stack gap="xs" mt="xs">
          {refusalReasons.map((one) => (
            <Radio key={one} value={one} label={t(`check.reason.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Buttons {...props}>
        <Submit color="red" loading={props.isRunning} disabled={reason === ''}>
          {t('check.refuse')}
        </Submit>
      </Buttons>
    </Dialog>
  )
}
