import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { Empty, PageHead } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { Shell } from '../shell.tsx'
import { t } from '../texts.ts'

/** For the URL of a merchant that this person can't access, and for a person without any merchant. */
export function NoMerchant() {
  const { merchants } = useSession()
  const [, go] = useLocation()
  const [first] = merchants
  return (
    <Shell>
      <PageHead title="Wheelhouse" />
      <Empty icon="shop" title={t('merchant.none')} text={t('merchant.noneText')}>
        {first === undefined ? null : (
          <Button variant="default" onClick={() => go(`/m/${first.merchant}`)}>
            {t('merchant.toFirst', { name: first.name })}
          </Button>
        )}
      </Empty>
    </Shell>
  )
}
