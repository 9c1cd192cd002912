/** Says on every page of a test merchant that this is a test, and what its clock shows. */
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { ClockAnswer } from '../../../../src/http/answers/test-mode.ts'
import { Icon } from '../../parts/icons.tsx'
import { useMay, useMerchant, useRead } from '../../session.tsx'
import { formatZoned, t } from '../../texts.ts'
import { ClockDialog } from './clock-dialog.tsx'
import { ResetDialog } from './reset-dialog.tsx'
import './test-bar.css'

/** The clock runs on, so the bar reads it again. */
const readAgainMs = 15_000

export function TestBar() {
  const may = useMay()
  const clock = useRead<ClockAnswer>(['test-clock'], '/api/v1/test/clock', { refetchInterval: readAgainMs })
  const [asked, setAsked] = useState<'clock' | 'reset' | null>(null)
  const zone = useMerchant().timeZone
  const now = clock.data?.now
  return (
    <section className="test-bar" aria-label={t('mode.testMode')}>
      <Group gap="xs" wrap="nowrap">
        <Icon name="clock" size={16} />
        <Text size="sm" fw={600}>
          {now === undefined ? t('mode.testMode') : t('testBar.text', { time: formatZoned(now, zone), zone })}
        </Text>
      </Group>
      {may.edit ? (
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => setAsked('clock')}>
            {t('testClock.open')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setAsked('reset')}>
            {t('testReset.open')}
          </Button>
        </Group>
      ) : null}
      {now === undefined ? null : (
        <ClockDialog opened={asked === 'clock'} now={now} zone={zone} onClose={() => setAsked(null)} />
      )}
      <ResetDialog opened={asked === 'reset'} onClose={() => setAsked(null)} />
    </section>
  )
}
