/** Asks before a visitor's personal data is erased: by the address, as it was typed. */
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { useApi, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'

export function EraseVisitor(props: {
  entry: { playerId: string; address: string | null } | null
  onClose: () => void
}) {
  const { entry, onClose } = props
  const api = useApi()
  const refresh = useRefresh()
  const erase = useAction({
    mutationFn: (playerId: string) =>
      api.del(`/api/v1/players/${encodeURIComponent(playerId)}/personal-data`),
    onSuccess: async () => {
      onClose()
      tellDone(t('player.isErased'))
      await Promise.all([refresh('campaigns'), refresh('players')])
    },
    onError: tellProblem,
  })
  return (
    <Confirm
      opened={entry !== null}
      title={t('player.erase')}
      text={t('visitors.eraseText')}
      action={t('player.erase')}
      {...(typeof entry?.address === 'string' ? { name: entry.address } : {})}
      isRunning={erase.isPending}
      onConfirm={() => entry !== null && erase.mutate(entry.playerId)}
      onClose={onClose}
    />
  )
}
