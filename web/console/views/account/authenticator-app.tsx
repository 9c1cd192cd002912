import { Badge, Button, Group, Modal, Paper, PinInput, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppConfirmedAnswer, AppProposalAnswer } from '../../../../src/http/answers/account.ts'
import { call } from '../../api.ts'
import { useAction } from '../../parts/action.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { Form, Submit } from '../../parts/form.tsx'
import { tellDone } from '../../parts/notify.ts'
import { Loaded } from '../../parts/states.tsx'
import { QrCode } from '../../parts/qr-code.tsx'
import { t } from '../../texts.ts'
import { useRefreshMethods, useSignInMethods } from './methods.ts'
import { usePasswordAgain } from './password-again.tsx'
import { FreshCodes } from './recovery-codes.tsx'

export function AuthenticatorApp() {
  const { data } = useSignInMethods()
  const [isOpen, setOpen] = useState(false)
  // The value when the dialog opened: the dialog must not change while the list behind it is refreshed.
  const [wasOn, setWasOn] = useState(false)
  const isOn = data?.app === true
  const close = () => setOpen(false)
  const open = () => {
    setWasOn(isOn)
    setOpen(true)
  }
  return (
    <Paper component="section" aria-labelledby="account-app">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="account-app">
          {t('account.app')}
        </Title>
        <Badge color={isOn ? 'teal' : 'gray'}>{isOn ? t('state.on') : t('state.off')}</Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {t('account.appText')}
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" disabled={data === undefined} onClick={open}>
          {isOn ? t('account.factorOff') : t('account.factorOn')}
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={close} title={<Text fw={650}>{t('account.app')}</Text>}>
        {wasOn ? <SwitchOff onDone={close} /> : <SwitchOn onDone={close} />}
      </Modal>
    </Paper>
  )
}

function SwitchOn({ onDone }: { onDone: () => void }) {
  const again = usePasswordAgain()
  const refresh = useRefreshMethods()
  const [code, setCode] = useState('')
  const proposal = useQuery({
    queryKey: ['second-factor-proposal'],
    queryFn: () => call<AppProposalAnswer>('/api/v1/account/second-factor', { method: 'POST' }),
    staleTime: Infinity,
    gcTime: 0,
  })
  const confirm = useAction({
    mutationFn: () =>
      call<AppConfirmedAnswer>('/api/v1/account/second-factor', {
        method: 'PUT',
        body: { secret: proposal.data?.secret, code, ...again.body },
      }),
    onSuccess: async ({ recoveryCodes }) => {
      tellDone(t('account.appIsOn'))
      await refresh()
      if (recoveryCodes === null) onDone()
    },
    onError: again.onError,
  })
  const codes = confirm.data?.recoveryCodes
  if (codes !== undefined && codes !== null) return <FreshCodes codes={codes} onDone={onDone} />
  return (
    <Loaded query={proposal}>
      {({ secret, address }) => (
        <Form onSubmit={() => confirm.mutate()}>
          <Text size="sm">{t('account.factorScan')}</Text>
          <QrCode text={address} label={t('account.factorPicture')} />
          <Group gap="xs" wrap="nowrap">
            <Text className="mono wrap-anywhere" size="sm" style={{ flex: 1 }}>
              {secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </Text>
            <CopyIcon text={secret} label={t('account.factorSecret')} />
          </Group>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('signIn.code')}
            </Text>
            <PinInput
              length={6}
              type="number"
              oneTimeCode
              value={code}
              onChange={setCode}
              aria-label={t('signIn.code')}
              getInputProps={(index) => ({ 'aria-label': `${t('signIn.code')} ${index + 1}` })}
            />
          </div>
          {again.field}
          <Text size="sm" c="dimmed">
            {t('account.methodsText')}
          </Text>
          <Submit loading={confirm.isPending} disabled={code.length < 6}>
            {t('account.factorOn')}
          </Submit>
        </Form>
      )}
    </Loaded>
  )
}

function SwitchOff({ onDone }: { onDone: () => void }) {
  const again = usePasswordAgain()
  const refresh = useRefreshMethods()
  const remove = useAction({
    mutationFn: () => call('/api/v1/account/second-factor', { method: 'DELETE', body: again.body }),
    onSuccess: async () => {
      tellDone(t('account.appIsOff'))
      await refresh()
      onDone()
    },
    onError: again.onError,
  })
  return (
    <Form onSubmit={() => remove.mutate()}>
      {again.field}
      <Submit color="red" loading={remove.isPending}>
        {t('account.factorOff')}
      </Submit>
    </Form>
  )
}
