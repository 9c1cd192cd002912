/** For people who forgot the password: a reset link by mail where the server sends mail, otherwise by an operator. */
import { Anchor, Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../api.ts'
import { useAction } from '../parts/action.ts'
import { SignInCard, Refused } from '../parts/sign-in-card.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { useSignInOptions } from '../session.tsx'
import { t } from '../texts.ts'

/** The line below the sign-in form. */
export function ForgottenHint({ onAsk }: { onAsk: () => void }) {
  const options = useSignInOptions()
  if (options?.resetsByMail === true)
    return (
      <Anchor component="button" type="button" size="sm" onClick={onAsk}>
        {t('forgotten.ask')}
      </Anchor>
    )
  return (
    <Text size="sm" c="dimmed">
      {t('signIn.forgotten')}
    </Text>
  )
}

export function Forgotten({ email: known, onBack }: { email: string; onBack: () => void }) {
  const [email, setEmail] = useState(known)
  const ask = useAction({
    mutationFn: () => call('/api/v1/session/reset-mails', { method: 'POST', body: { email: email.trim() } }),
  })
  if (ask.isSuccess)
    return (
      <SignInCard title={t('forgotten.sent')} text={t('forgotten.sentText', { email: email.trim() })}>
        <Button mt="lg" fullWidth variant="default" onClick={onBack}>
          {t('signIn.back')}
        </Button>
      </SignInCard>
    )
  return (
    <SignInCard title={t('forgotten.title')} text={t('forgotten.text')}>
      <Form mt="lg" onSubmit={() => ask.mutate()}>
        <Refused text={ask.error?.message} />
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Submit size="md" fullWidth loading={ask.isPending}>
          {t('forgotten.action')}
        </Submit>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('signIn.back')}
        </Anchor>
      </Form>
    </SignInCard>
  )
}
