/** Shared parts of the forms that give spins. */
import type { Api } from '../session.tsx'
import { t } from '../texts.ts'
import { useMerchantNow } from './merchant-now.ts'
import { NumberField } from './number-field.tsx'
import { expiryProblem, MomentField } from './time-fields.tsx'
import { useReportUnfinished } from './unfinished.tsx'

/** Gives a player spins, recorded under the signed-in person. */
export function giveSpins(
  api: Api,
  gift: {
    playerId: string
    spins: number
    reason: string
    campaign: string
    expiresAt?: string | undefined
  },
  headers: Record<string, string>,
): Promise<unknown> {
  const { playerId, spins, reason, campaign, expiresAt } = gift
  const path = `/api/v1/players/${encodeURIComponent(playerId)}/grants`
  return api.post(path, { spins, reason: reason.trim(), campaign, ...(expiresAt && { expiresAt }) }, headers)
}

export function SpinsInput(props: {
  value: number | string
  onChange: (value: number | string) => void
  hasFocus?: boolean
}) {
  return (
    <NumberField
      label={t('players.spins')}
      value={typeof props.value === 'number' ? props.value : undefined}
      onChange={props.onChange}
      min={1}
      max={1_000_000}
      required
      {...(props.hasFocus === true ? { 'data-autofocus': true } : {})}
    />
  )
}

/** When the spins expire; empty for the usual time. */
export function ExpiryInput(props: {
  value: string | undefined
  onChange: (expiresAt: string | undefined) => void
}) {
  const problem = expiryProblem(props.value, useMerchantNow())
  useReportUnfinished(problem !== null)
  return <MomentField {...props} label={t('player.giveExpiresAt')} error={problem} />
}
