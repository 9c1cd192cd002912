import { Anchor, Group, List, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { call, Problem } from '../api.ts'
import { useAction } from '../parts/action.ts'
import { Form, Submit } from '../parts/form.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { PageHead } from '../parts/states.tsx'
import { TextField } from '../parts/text-field.tsx'
import { sessionKey, useSession } from '../session.tsx'
import { t } from '../texts.ts'
import { AuthenticatorApp } from './account/authenticator-app.tsx'
import { CurrentPassword } from './account/password-again.tsx'
import { Passkeys } from './account/passkeys.tsx'
import { RecoveryCodes } from './account/recovery-codes.tsx'
import { Sessions } from './account/sessions.tsx'

export function Account() {
  return (
    <>
      <PageHead title={t('account.title')} text={t('account.text')} />
      <Stack gap="lg" maw={720}>
        <Name />
        <Password />
        <Passkeys />
        <AuthenticatorApp />
        <RecoveryCodes />
        <Alerts />
        <Sessions />
      </Stack>
    </>
  )
}

function Name() {
  const { staff } = useSession()
  const client = useQueryClient()
  const [name, setName] = useState(staff.name)
  const save = useAction({
    mutationFn: () => call('/api/v1/account', { method: 'PUT', body: { name } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionKey })
      tellDone(t('account.saved'))
    },
    onError: tellProblem,
  })
  return (
    <Paper component="section" aria-labelledby="account-name">
      <Title order={2} id="account-name" mb="sm">
        {t('account.profile')}
      </Title>
      <Form gap="xs" onSubmit={() => save.mutate()}>
        <Group align="flex-end">
          <TextField
            label={t('welcome.name')}
            value={name}
            onChange={setName}
            required
            lengthMax={100}
            style={{ flex: 1 }}
          />
          <Submit variant="default" loading={save.isPending} disabled={name === staff.name}>
            {t('action.save')}
          </Submit>
        </Group>
        <Text size="sm" c="dimmed">
          {staff.email}
        </Text>
      </Form>
    </Paper>
  )
}

function Password() {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useAction({
    mutationFn: () => call('/api/v1/account/password', { method: 'PUT', body: { current, password } }),
    onSuccess: () => {
      setCurrent('')
      setPassword('')
      tellDone(t('account.passwordChanged'))
    },
    onError: (error) => (isAboutPassword(error) ? undefined : tellProblem(error)),
  })
  const weakness = isAboutPassword(change.error) ? change.error.message : null
  return (
    <Paper component="section" aria-labelledby="account-password">
      <Title order={2} id="account-password" mb="sm">
        {t('account.password')}
      </Title>
      <Form gap="sm" onSubmit={() => change.mutate()}>
        <CurrentPassword value={current} onChange={setCurrent} />
        <PasswordInput
          label={t('account.newPassword')}
          description={t('welcome.passwordHint')}
          autoComplete="new-password"
          required
          minLength={12}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={weakness}
        />
        <Group justify="flex-end">
          <Submit variant="default" loading={change.isPending}>
            {t('account.changePassword')}
          </Submit>
        </Group>
      </Form>
    </Paper>
  )
}

/** Where to choose them: each merchant has its own campaigns. */
function Alerts() {
  const { merchants } = useSession()
  if (merchants.length === 0) return null
  return (
    <Paper component="section" aria-labelledby="account-alerts">
      <Title order={2} id="account-alerts" mb="xs">
        {t('alerts.title')}
      </Title>
      <Text size="sm">{t('alerts.accountText')}</Text>
      <List size="sm">
        {merchants.map(({ merchant, name }) => (
          <List.Item key={merchant}>
            <Anchor component={Link} inherit href={`/m/${merchant}/settings?tab=alerts`}>
              {name}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Paper>
  )
}

/** Shown at the field, because the problem is about its value. */
function isAboutPassword(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'password_too_easy'
}
