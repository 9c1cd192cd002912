import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { Empty, PageHead } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { Shell } from '../shell.tsx'
import { t } from '../texts.ts'

/** For an address of a merchant that is not there for this person, and for a person without any. */
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
