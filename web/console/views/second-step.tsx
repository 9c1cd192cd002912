/** The second step of signing in, for an account with a second factor: app, passkey or recovery code. */
import { Anchor, Button, PinInput, Stack, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { SecondFactor } from '../api.ts'
import { useAction } from '../parts/action.ts'
import { Refused } from '../parts/sign-in-card.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { hasPasskeySupport, type PasskeyRequest, readPasskey } from '../passkeys.ts'
import { t } from '../texts.ts'

export type Proof = { code?: string; recoveryCode?: string; passkey?: unknown }
type Way = 'app' | 'passkey' | 'recovery'

export function SecondStep(props: {
  offer: SecondFactor
  isPending: boolean
  refused: string | undefined
  onProof: (proof: Proof) => void
  /** A challenge works once; the next one needs a new offer. */
  onRenew: () => Promise<SecondFactor>
}) {
  const ways = waysOf(props.offer)
  const [way, setWay] = useState<Way>(ways[0] ?? 'recovery')
  return (
    <Stack mt="lg">
      <Refused text={props.refused} />
      {way === 'app' ? <AppStep {...props} /> : null}
      {way === 'passkey' ? <PasskeyStep {...props} /> : null}
      {way === 'recovery' ? <RecoveryStep {...props} /> : null}
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <Anchor
            key={other}
            component="button"
            type="button"
            size="sm"
            ta="left"
            onClick={() => setWay(other)}
          >
            {t(otherWay[other])}
          </Anchor>
        ))}
    </Stack>
  )
}

const otherWay = {
  app: 'signIn.useApp',
  passkey: 'signIn.usePasskey',
  recovery: 'signIn.useRecoveryCode',
} as const

function waysOf({ app, passkey, recoveryCode }: SecondFactor): Way[] {
  return [
    ...(passkey !== null && hasPasskeySupport() ? (['passkey'] as const) : []),
    ...(app ? (['app'] as const) : []),
    ...(recoveryCode ? (['recovery'] as const) : []),
  ]
}

type StepProps = Parameters<typeof SecondStep>[0]

function AppStep({ isPending, onProof }: StepProps) {
  const [code, setCode] = useState('')
  const send = (given: string) => {
    onProof({ code: given })
    setCode('')
  }
  return (
    <Form onSubmit={() => send(code)}>
      <span>{t('signIn.secondText')}</span>
      <PinInput
        length={6}
        type="number"
        oneTimeCode
        autoFocus
        value={code}
        onChange={setCode}
        onComplete={send}
        aria-label={t('signIn.code')}
        getInputProps={(index) => ({ 'aria-label': `${t('signIn.code')} ${index + 1}` })}
      />
      <Submit size="md" loading={isPending} fullWidth>
        {t('signIn.action')}
      </Submit>
    </Form>
  )
}

function PasskeyStep({ offer, isPending, onProof, onRenew }: StepProps) {
  const isUsed = useRef(false)
  const ask = useAction({
    mutationFn: async () => {
      const { passkey } = isUsed.current ? await onRenew() : offer
      isUsed.current = true
      return readPasskey(passkey as PasskeyRequest)
    },
    onSuccess: (passkey) => onProof({ passkey }),
  })
  return (
    <>
      <Refused text={ask.error?.message} />
      <span>{t('signIn.passkeyText')}</span>
      <Button size="md" fullWidth autoFocus loading={ask.isPending || isPending} onClick={() => ask.mutate()}>
        {t('signIn.usePasskey')}
      </Button>
    </>
  )
}

function RecoveryStep({ isPending, onProof }: StepProps) {
  const [code, setCode] = useState('')
  return (
    <Form onSubmit={() => onProof({ recoveryCode: code })}>
      <span>{t('signIn.recoveryText')}</span>
      <TextInput
        label={t('signIn.recoveryCode')}
        description={t('signIn.recoveryHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        minLength={16}
        maxLength={40}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Submit size="md" loading={isPending} fullWidth>
        {t('signIn.action')}
      </Submit>
    </Form>
  )
}
