import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { Empty, PageHead } from '../parts/states.tsx'
import { useMerchant } from '../session.tsx'
import { t } from '../texts.ts'

/** For a misspelt address below a merchant's. */
export function NoView() {
  const { merchant, name } = useMerchant()
  const [, go] = useLocation()
  return (
    <>
      <PageHead title={name} />
      <Empty icon="search" title={t('address.none')} text={t('address.noneText')}>
        <Button variant="default" onClick={() => go(`/m/${merchant}/campaigns`)}>
          {t('address.toCampaigns')}
        </Button>
      </Empty>
    </>
  )
}
