import type { CampaignAnswer } from '../../../../../src/http/answers/campaigns.ts'
import { useMerchantNow } from '../../../parts/merchant-now.ts'
import { t } from '../../../texts.ts'
import { dayBack } from '../../overview/reports.ts'
import { Funnel } from '../../reports/funnel.tsx'
import '../../reports/reports.css'

/** The visits of the last 30 days. */
export function CampaignFunnel({ campaign: { campaign } }: { campaign: CampaignAnswer }) {
  const now = useMerchantNow()
  const [from, to] = [dayBack(now, 29), dayBack(now, 0)]
  const filter = { campaign, wheel: '', from, to, compare: 'none' } as const
  return <Funnel title={t('home.funnel')} filter={filter} />
}
