import { Paper, SegmentedControl, Text, Title, useMantineColorScheme } from '@mantine/core'
import { PageHead } from '../parts/states.tsx'
import { AddressTabs } from '../parts/tabs.tsx'
import { mayLeaveTab } from '../parts/unsaved.ts'
import { t } from '../texts.ts'
import { Activity } from './activity.tsx'
import { AlertSettings } from './alert-settings.tsx'
import { MerchantSettings } from './merchant-settings.tsx'
import { StaffSettings } from './staff-settings.tsx'

export function Settings() {
  return (
    <>
      <PageHead title={t('nav.settings')} />
      <AddressTabs
        label={t('nav.settings')}
        mayLeave={mayLeaveTab}
        tabs={[
          { value: 'merchant', label: t('settings.merchant'), content: <MerchantSettings /> },
          { value: 'staff', label: t('settings.staff'), content: <StaffSettings /> },
          { value: 'alerts', label: t('settings.alerts'), content: <AlertSettings /> },
          { value: 'activity', label: t('settings.activity'), content: <Activity /> },
          { value: 'appearance', label: t('settings.appearance'), content: <Appearance /> },
        ]}
      />
    </>
  )
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Paper component="section" maw={720} aria-labelledby="appearance-title">
      <Title order={2} id="appearance-title">
        {t('settings.appearance')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('appearance.text')}
      </Text>
      <SegmentedControl
        aria-label={t('appearance.scheme')}
        value={colorScheme}
        onChange={(value) => setColorScheme(value)}
        data={[
          { value: 'light', label: t('appearance.light') },
          { value: 'dark', label: t('appearance.dark') },
          { value: 'auto', label: t('appearance.auto') },
        ]}
      />
    </Paper>
  )
}
