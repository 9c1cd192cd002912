/** Changing a sign-in method needs a recent sign-in or the password. */
import { PasswordInput, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Problem } from '../../api.ts'
import { tellProblem } from '../../parts/notify.ts'
import { t } from '../../texts.ts'

/** `field` is set once the server has asked for the password; `body` then contains it for the next attempt. */
export function usePasswordAgain(): {
  field: ReactNode
  body: { password?: string }
  onError: (error: unknown) => void
} {
  const [isNeeded, setNeeded] = useState(false)
  const [password, setPassword] = useState('')
  const field = isNeeded ? (
    <>
      <Text size="sm">{t('account.passwordAgain')}</Text>
      <CurrentPassword value={password} onChange={setPassword} />
    </>
  ) : null
  const onError = (error: unknown) => {
    if (error instanceof Problem && error.code === 'sign_in_not_recent') setNeeded(true)
    else tellProblem(error)
  }
  return { field, body: isNeeded ? { password } : {}, onError }
}

export function CurrentPassword({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <PasswordInput
      label={t('account.currentPassword')}
      autoComplete="current-password"
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
