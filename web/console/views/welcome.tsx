/** The page of an invitation or reset link. The secret follows the `#` and is removed from the address bar at once. */
import { Anchor, Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { InvitationAnswer } from '../../../src/http/answers/session.ts'
import { call, Problem, type SecondFactor } from '../api.ts'
import { useAction } from '../parts/action.ts'
import { SignInCard, Refused } from '../parts/sign-in-card.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { Waiting } from '../parts/states.tsx'
import { TextField } from '../parts/text-field.tsx'
import { type Session, sessionKey, useSessionQuery } from '../session.tsx'
import { t } from '../texts.ts'
import { type Proof, SecondStep } from './second-step.tsx'
import { offerIn, refusalText, renewOffer, SignIn } from './sign-in.tsx'

export function Welcome() {
  const [token] = useState(() => location.hash.slice(1))
  useEffect(() => {
    document.title = `${t('welcome.title')} · Wheelhouse`
    history.replaceState(history.state, '', location.pathname)
  }, [])
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call<InvitationAnswer>('/api/v1/session/invitation', { method: 'POST', body: { token } }),
    retry: false,
    staleTime: Infinity,
  })
  const session = useSessionQuery()
  const [isKnown, setKnown] = useState(false)
  if (invitation.isError) return <Useless error={invitation.error} />
  if (invitation.data === undefined || session.data === undefined)
    return (
      <SignInCard title={t('welcome.title')}>
        <Waiting rows={3} />
      </SignInCard>
    )
  const { email, isReset, hasAccount } = invitation.data
  if (!isReset && email !== null && session.data?.staff.email === email)
    return <TakeRole token={token} invitation={invitation.data} />
  if (hasAccount || isKnown) return <SignIn />
  return <NewAccount token={token} invitation={invitation.data} onKnown={() => setKnown(true)} />
}

function Useless({ error }: { error: unknown }) {
  const [, go] = useLocation()
  // Without its secret, as after a reload, the link is incomplete.
  const isOver = error instanceof Problem && ['invitation_invalid', 'validation_failed'].includes(error.code)
  return (
    <SignInCard
      title={isOver ? t('welcome.over') : t('state.failed')}
      text={isOver ? t('welcome.overText') : String(error)}
    >
      <Button mt="lg" fullWidth onClick={() => go('/', { replace: true })}>
        {t('welcome.toSignIn')}
      </Button>
    </SignInCard>
  )
}

type AcceptanceFields = { email?: string; name?: string; password?: string } & Proof

function useAcceptance(token: string) {
  const client = useQueryClient()
  const [, go] = useLocation()
  return useAction({
    mutationFn: (more: AcceptanceFields) =>
      call<Session>('/api/v1/session/acceptance', { method: 'POST', body: { token, ...more } }),
    onSuccess: (session) => {
      client.setQueryData(sessionKey, session)
      go('/', { replace: true })
    },
  })
}

type AccountFields = { email: string; name: string; password: string }

function NewAccount({
  token,
  invitation,
  onKnown,
}: {
  token: string
  invitation: InvitationAnswer
  /** The person says that the account exists. */
  onKnown: () => void
}) {
  const [typed, setTyped] = useState<AccountFields>({ email: '', name: '', password: '' })
  const accept = useAcceptance(token)
  const fields = {
    ...(invitation.email === null ? { email: typed.email.trim() } : {}),
    ...(invitation.isReset ? {} : { name: typed.name }),
    password: typed.password,
  }
  const [offer, setOffer] = useState<SecondFactor | null>(null)
  const submit = (proof: Proof) =>
    accept.mutate({ ...fields, ...proof }, { onError: (error) => setOffer(offerIn(error) ?? offer) })
  const refused =
    offerIn(accept.error) === undefined ? refusalText(accept.error, accept.variables) : undefined
  if (offer !== null)
    return (
      <SignInCard title={t('signIn.secondTitle')}>
        <SecondStep
          offer={offer}
          isPending={accept.isPending}
          refused={refused}
          onProof={submit}
          onRenew={() => renewOffer(() => accept.mutateAsync(fields))}
        />
        <Anchor component="button" type="button" size="sm" mt="md" onClick={() => setOffer(null)}>
          {t('signIn.back')}
        </Anchor>
      </SignInCard>
    )
  return (
    <SignInCard
      title={invitation.isReset ? t('welcome.reset') : t('welcome.title')}
      text={promise(invitation)}
    >
      <Form mt="lg" onSubmit={() => submit({})}>
        <Refused text={refused} />
        <AccountInputs
          invitation={invitation}
          fields={typed}
          set={(change) => setTyped((now) => ({ ...now, ...change }))}
        />
        <Submit size="md" fullWidth loading={accept.isPending}>
          {invitation.isReset ? t('welcome.resetAction') : t('welcome.action')}
        </Submit>
        {invitation.isReset || invitation.email === null ? null : (
          <Anchor component="button" type="button" size="sm" onClick={onKnown}>
            {t('welcome.haveAccount')}
          </Anchor>
        )}
      </Form>
    </SignInCard>
  )
}

function AccountInputs(props: {
  invitation: InvitationAnswer
  fields: AccountFields
  set: (change: Partial<AccountFields>) => void
}) {
  const { invitation, fields, set } = props
  const { email, name, password } = fields
  const isShort = password !== '' && password.length < 12
  return (
    <>
      {invitation.email === null ? (
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => set({ email: event.currentTarget.value })}
        />
      ) : (
        <TextInput label={t('signIn.email')} value={invitation.email} readOnly autoComplete="username" />
      )}
      {invitation.isReset ? null : (
        <TextField
          label={t('welcome.name')}
          autoComplete="name"
          required
          lengthMax={100}
          value={name}
          onChange={(typed) => set({ name: typed })}
        />
      )}
      <PasswordInput
        label={t('welcome.password')}
        description={t('welcome.passwordHint')}
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={200}
        value={password}
        onChange={(event) => set({ password: event.currentTarget.value })}
        error={isShort ? t('welcome.passwordShort', { count: 12 - password.length }) : null}
      />
    </>
  )
}

function TakeRole({ token, invitation }: { token: string; invitation: InvitationAnswer }) {
  const accept = useAcceptance(token)
  return (
    <SignInCard title={t('welcome.title')} text={promise(invitation)}>
      <Text my="md">{t('welcome.asYou', { email: invitation.email ?? '' })}</Text>
      <Refused text={accept.error?.message} />
      <Button mt="lg" fullWidth loading={accept.isPending} onClick={() => accept.mutate({})}>
        {t('welcome.accept')}
      </Button>
    </SignInCard>
  )
}

function promise({ isReset, needsCode, merchant, role, makesOperator }: InvitationAnswer): string {
  if (isReset) return needsCode ? t('welcome.resetKeepsText') : t('welcome.resetText')
  if (makesOperator) return t('welcome.asOperator')
  return t('welcome.asRole', { merchant: merchant ?? '', role: role === null ? '' : t(`role.${role}`) })
}
