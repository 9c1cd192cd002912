import { Button, Paper } from '@mantine/core'
import { Empty, PageHead } from '../parts/states.tsx'
import { useMerchant, useSession } from '../session.tsx'
import { t } from '../texts.ts'
import { useSuspension } from './merchants.tsx'

/** Replaces every view of a merchant that an operator has suspended. */
export function Suspended() {
  const { merchant, name } = useMerchant()
  const { staff } = useSession()
  const suspend = useSuspension(() => undefined)
  return (
    <>
      <PageHead title={name} />
      <Paper>
        <Empty icon="pause" title={t('merchant.suspendedTitle', { name })} text={t('merchant.suspended')}>
          {staff.isOperator ? (
            <Button
              loading={suspend.isPending}
              onClick={() => suspend.mutate({ merchant, isSuspended: false })}
            >
              {t('merchants.resume')}
            </Button>
          ) : null}
        </Empty>
      </Paper>
    </>
  )
}
