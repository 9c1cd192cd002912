/** The till alone, for the tablet of a counter. It signs out by itself. */
import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Logo } from '../../parts/icons.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { useSignOut } from '../../parts/sign-out.ts'
import { Empty } from '../../parts/states.tsx'
import { ZoneNote } from '../../parts/zone-note.tsx'
import { useMay, useMerchant, useSession } from '../../session.tsx'
import { t } from '../../texts.ts'
import { TestBar } from '../test-mode/test-bar.tsx'
import { counterIdleSeconds, useIdleSeconds } from './idle.ts'
import { SigningOut } from './signing-out.tsx'
import { Till } from './till.tsx'
import './till.css'

/** For so long before the end it says so. */
const warnedSeconds = 30

export function Counter() {
  const { name, live } = useMerchant()
  const { staff } = useSession()
  const may = useMay()
  const signOut = useSignOut()
  const [code, setCode] = useState('')
  const idleSeconds = useIdleSeconds()
  const left = counterIdleSeconds - idleSeconds
  if (left <= 0) return <SigningOut />
  return (
    <div className="counter">
      <header className="counter-head">
        <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
          <Logo size={24} />
          <Text fw={650} truncate>
            {name}
          </Text>
        </Group>
        <Group gap="sm" wrap="nowrap">
          <Text size="sm" c="dimmed" truncate visibleFrom="xs">
            {staff.name}
          </Text>
          <Button size="sm" variant="default" onClick={() => void signOut().catch(tellProblem)}>
            {t('account.signOut')}
          </Button>
        </Group>
      </header>
      {live ? null : <TestBar />}
      <main className="counter-body">
        <ZoneNote />
        <Title order={1} mb="md">
          {t('till.title')}
        </Title>
        <Paper>
          {may.serve ? (
            <Till code={code} onSearch={setCode} />
          ) : (
            <Empty icon="block" title={t('till.notYours')} text={t('till.notYoursText')} />
          )}
        </Paper>
        <Text role="status" size="sm" mt="md" ta="center">
          {left <= warnedSeconds ? t('till.ending') : ''}
        </Text>
      </main>
    </div>
  )
}
