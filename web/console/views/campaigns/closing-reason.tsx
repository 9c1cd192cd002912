import { ReasonInput } from '../../parts/form.tsx'
import { t } from '../../texts.ts'

/** Visitors have entered under the closing time as it was, so that another one needs a reason. */
export function ClosingReason(props: {
  edits: { hasChanges: boolean; reason: string | null; setReason: (reason: string) => void }
}) {
  const { hasChanges, reason, setReason } = props.edits
  if (reason === null || !hasChanges) return null
  return <ReasonInput value={reason} onChange={setReason} description={t('campaign.closingReason')} />
}
