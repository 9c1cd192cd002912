import { Alert, Button, Group, Modal, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { RecoveryCodesAnswer } from '../../../../src/http/answers/account.ts'
import { call } from '../../api.ts'
import { useAction } from '../../parts/action.ts'
import { CopyText } from '../../parts/copy.tsx'
import { Form, Submit } from '../../parts/form.tsx'
import { t } from '../../texts.ts'
import { useRefreshMethods, useSignInMethods } from './methods.ts'
import { usePasswordAgain } from './password-again.tsx'

/** Recovery codes replace a second factor, so this is hidden if the account has none. */
export function RecoveryCodes() {
  const { data } = useSignInMethods()
  const [isOpen, setOpen] = useState(false)
  if (data === undefined || (!data.app && data.passkeys.length === 0)) return null
  const close = () => setOpen(false)
  return (
    <Paper component="section" aria-labelledby="account-codes">
      <Title order={2} id="account-codes" mb="xs">
        {t('account.codes')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('account.codesText')}
      </Text>
      <Group justify="space-between" mt="md">
        <Text size="sm" fw={600}>
          {t('account.codesLeft', { count: data.recoveryCodesLeft })}
        </Text>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('account.codesRenew')}
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={close} title={<Text fw={650}>{t('account.codes')}</Text>}>
        <RenewCodes onDone={close} />
      </Modal>
    </Paper>
  )
}

function RenewCodes({ onDone }: { onDone: () => void }) {
  const again = usePasswordAgain()
  const refresh = useRefreshMethods()
  const renew = useAction({
    mutationFn: () =>
      call<RecoveryCodesAnswer>('/api/v1/account/recovery-codes', {
        method: 'POST',
        body: again.body,
      }),
    onSuccess: refresh,
    onError: again.onError,
  })
  if (renew.data !== undefined) return <FreshCodes codes={renew.data.recoveryCodes} onDone={onDone} />
  return (
    <Form onSubmit={() => renew.mutate()}>
      <Text size="sm">{t('account.codesRenewText')}</Text>
      {again.field}
      <Submit loading={renew.isPending}>{t('account.codesRenew')}</Submit>
    </Form>
  )
}

/** The new codes, shown only once. */
export function FreshCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <Stack>
      <Title order={3} fz="md">
        {t('account.codesNew')}
      </Title>
      <Alert color="yellow" variant="light">
        {t('account.codesWarning')}
      </Alert>
      <CopyText text={codes.join('\n')} label={t('account.codes')} />
      <Button onClick={onDone}>{t('account.codesDone')}</Button>
    </Stack>
  )
}
