import { Anchor, PasswordInput, PinInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, Problem } from '../api.ts'
import { Door, Refused } from '../parts/door.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { type Session, sessionKey } from '../session.tsx'
import { t } from '../texts.ts'
import { Forgotten, ForgottenHint } from './forgotten.tsx'

/** The address bar keeps what was asked for; it is shown once somebody is signed in. */
export function SignIn() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const [hasForgotten, setForgotten] = useState(false)
  const client = useQueryClient()
  useEffect(() => {
    document.title = `${t('signIn.title')} · Wheelhouse`
  }, [])
  const attempt = useMutation({
    mutationFn: (given: string | undefined) =>
      call<Session>('/api/v1/session', {
        method: 'POST',
        body: { email: email.trim(), password, ...(given === undefined ? {} : { code: given }) },
      }),
    onSuccess: (session) => client.setQueryData(sessionKey, session),
    onError: (error) => {
      if (error instanceof Problem && error.code === 'second_factor_needed') setNeedsCode(true)
      setCode('')
    },
  })
  const problem = attempt.error instanceof Problem ? attempt.error : null
  const isRefused = problem !== null && problem.code !== 'second_factor_needed'
  if (hasForgotten) return <Forgotten email={email} onBack={() => setForgotten(false)} />
  return (
    <Door
      title={needsCode ? t('signIn.secondTitle') : t('signIn.title')}
      text={needsCode ? t('signIn.secondText') : t('signIn.text')}
    >
      <Form mt="lg" onSubmit={() => attempt.mutate(needsCode ? code : undefined)}>
        <Refused text={isRefused ? wordsFor(problem) : undefined} />
        {needsCode ? (
          <PinInput
            length={6}
            type="number"
            oneTimeCode
            autoFocus
            value={code}
            onChange={setCode}
            onComplete={(complete) => attempt.mutate(complete)}
            aria-label={t('signIn.code')}
            getInputProps={(index) => ({ 'aria-label': `${t('signIn.code')} ${index + 1}` })}
          />
        ) : (
          <>
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
          </>
        )}
        <Submit size="md" loading={attempt.isPending} fullWidth>
          {t('signIn.action')}
        </Submit>
        {needsCode ? (
          <Anchor component="button" type="button" size="sm" onClick={() => setNeedsCode(false)}>
            {t('signIn.back')}
          </Anchor>
        ) : (
          <ForgottenHint onAsk={() => setForgotten(true)} />
        )}
      </Form>
    </Door>
  )
}

function wordsFor(problem: Problem): string {
  if (problem.code === 'sign_in_failed') return t('signIn.failed')
  if (problem.code === 'second_factor_wrong') return t('signIn.codeWrong')
  if (problem.code === 'sign_in_delayed' || problem.code === 'rate_limited')
    return t('signIn.delayed', { count: problem.retryAfterSeconds ?? 1 })
  return problem.message
}
