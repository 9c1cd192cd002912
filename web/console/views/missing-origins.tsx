import { Alert, Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { MerchantAnswer } from '../../../src/http/answers/settings.ts'
import { Icon } from '../parts/icons.tsx'
import { useApi, useRead } from '../session.tsx'
import { t } from '../texts.ts'

/** Shown while no site may embed the game. */
export function MissingOrigins() {
  const { merchant } = useApi()
  const settings = useRead<MerchantAnswer>(['merchant', 'origins'], '/api/v1/merchant')
  if (settings.data === undefined || settings.data.embedOrigins.length > 0) return null
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t('embed.noOrigins')}>
      {t('embed.noOriginsText')}{' '}
      <Anchor component={Link} href={`/m/${merchant}/settings`} size="sm" c="inherit" underline="always">
        {t('nav.settings')}
      </Anchor>
    </Alert>
  )
}
