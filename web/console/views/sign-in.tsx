import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PasskeyOptions } from '../../../src/http/answers/staff.ts'
import { call, Problem, type SecondFactor } from '../api.ts'
import { useAction } from '../parts/action.ts'
import { SignInCard, Refused } from '../parts/sign-in-card.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { hasPasskeySupport, type PasskeyRequest, readPasskey } from '../passkeys.ts'
import { type Session, sessionKey, useSignInOptions } from '../session.tsx'
import { t } from '../texts.ts'
import { Forgotten, ForgottenHint } from './forgotten.tsx'
import { type Proof, SecondStep } from './second-step.tsx'
import { forgetUse } from './till/idle.ts'

/** The requested URL stays in the address bar; its view is shown after the sign-in. */
export function SignIn() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [offer, setOffer] = useState<SecondFactor | null>(null)
  const [hasForgotten, setForgotten] = useState(false)
  const client = useQueryClient()
  useEffect(() => {
    document.title = `${t('signIn.title')} · Wheelhouse`
    forgetUse()
  }, [])
  const send = (proof: Proof) =>
    call<Session>('/api/v1/session', { method: 'POST', body: { email: email.trim(), password, ...proof } })
  const attempt = useAction({
    mutationFn: send,
    onSuccess: (session) => client.setQueryData(sessionKey, session),
    onError: (error) => setOffer(offerIn(error) ?? offer),
  })
  const refused =
    offerIn(attempt.error) === undefined ? refusalText(attempt.error, attempt.variables) : undefined
  if (hasForgotten) return <Forgotten email={email} onBack={() => setForgotten(false)} />
  if (offer !== null)
    return (
      <SignInCard title={t('signIn.secondTitle')}>
        <SecondStep
          offer={offer}
          isPending={attempt.isPending}
          refused={refused}
          onProof={attempt.mutate}
          onRenew={() => renewOffer(() => send({}))}
        />
        <Anchor component="button" type="button" size="sm" mt="md" onClick={() => setOffer(null)}>
          {t('signIn.back')}
        </Anchor>
      </SignInCard>
    )
  return (
    <SignInCard title={t('signIn.title')} text={t('signIn.text')}>
      <Form mt="lg" onSubmit={() => attempt.mutate({})}>
        <Refused text={refused} />
        <TextInput
          label={t('signIn.email')}
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('signIn.password')}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Submit size="md" loading={attempt.isPending} fullWidth>
          {t('signIn.action')}
        </Submit>
        <PasskeySignIn />
        <ForgottenHint onAsk={() => setForgotten(true)} />
      </Form>
    </SignInCard>
  )
}

/** Signing in with a passkey needs no email, password or second factor. */
function PasskeySignIn() {
  const options = useSignInOptions()
  const client = useQueryClient()
  const attempt = useAction({
    mutationFn: async () => {
      const begun = await call<Record<keyof PasskeyOptions, PasskeyRequest>>(
        '/api/v1/session/passkey-challenges',
        {
          method: 'POST',
        },
      )
      const passkey = await readPasskey(begun.options)
      return call<Session>('/api/v1/session/passkey', { method: 'POST', body: { passkey } })
    },
    onSuccess: (session) => client.setQueryData(sessionKey, session),
  })
  if (options?.passkeys !== 'offered' || !hasPasskeySupport()) return null
  return (
    <>
      <Refused text={refusalText(attempt.error)} />
      <Button
        variant="default"
        size="md"
        fullWidth
        loading={attempt.isPending}
        onClick={() => attempt.mutate()}
      >
        {t('signIn.passkey')}
      </Button>
    </>
  )
}

/** The second factors that the account accepts, if the sign-in was refused for lack of one. */
export function offerIn(error: unknown): SecondFactor | undefined {
  return error instanceof Problem && error.code === 'second_factor_needed' ? error.secondFactor : undefined
}

/** Signs in again without a second factor, to get a new challenge. */
export async function renewOffer(ask: () => Promise<unknown>): Promise<SecondFactor> {
  const offer = await ask().then(
    () => undefined,
    (error: unknown) => {
      if (offerIn(error) === undefined) throw error
      return offerIn(error)
    },
  )
  if (offer === undefined) throw new Error(t('passkey.failed'))
  return offer
}

/** The reason why the sign-in was refused, as shown to the person. */
export function refusalText(error: Error | null, proof: Proof = {}): string | undefined {
  if (error === null) return undefined
  if (!(error instanceof Problem)) return error.message
  if (error.code === 'sign_in_failed') return t('signIn.failed')
  if (error.code === 'passkey_refused') return t('signIn.passkeyRefused')
  if (error.code === 'second_factor_wrong')
    return proof.code === undefined ? t('signIn.secondWrong') : t('signIn.codeWrong')
  if (error.code === 'sign_in_delayed' || error.code === 'rate_limited')
    return t('signIn.delayed', { count: error.retryAfterSeconds ?? 1 })
  return error.message
}
