import { Center, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useSignOut } from '../../parts/sign-out.ts'
import { t } from '../../texts.ts'

const tryAgainMs = 5_000

/** Nobody has used the till. Without a connection it shows nothing, and tries until it is signed out. */
export function SigningOut() {
  const signOut = useSignOut()
  useEffect(() => {
    const attempt = () => void signOut().catch(() => undefined)
    attempt()
    const timer = setInterval(attempt, tryAgainMs)
    return () => clearInterval(timer)
  }, [signOut])
  return (
    <Center component="main" h="60vh" role="status">
      <Text>{t('till.signingOut')}</Text>
    </Center>
  )
}
