/** Asks before a consent is withdrawn because its visitor wants that. */
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { useApi, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'

/** The consent of one field, of a visitor in a campaign. */
export type Withdrawn = { campaign: string; playerId: string; who: string; field: string }

export function WithdrawConsent(props: { withdrawn: Withdrawn | null; onClose: () => void }) {
  const { withdrawn, onClose } = props
  const api = useApi()
  const refresh = useRefresh()
  const withdraw = useAction({
    mutationFn: ({ playerId, campaign, field }: Withdrawn) =>
      api.put(`/api/v1/players/${encodeURIComponent(playerId)}/consents/withdrawal`, { campaign, field }),
    onSuccess: async () => {
      onClose()
      tellDone(t('visitors.isWithdrawn'))
      await refresh('campaigns')
    },
    onError: tellProblem,
  })
  const { field = '', who = '' } = withdrawn ?? {}
  return (
    <Confirm
      opened={withdrawn !== null}
      title={t('visitors.withdraw')}
      text={t('visitors.withdrawText', { field, who })}
      action={t('visitors.withdraw')}
      isRunning={withdraw.isPending}
      onConfirm={() => withdrawn !== null && withdraw.mutate(withdrawn)}
      onClose={onClose}
    />
  )
}
