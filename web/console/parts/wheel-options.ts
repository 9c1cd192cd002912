/** The wheels to choose from for a campaign. Pure. */
import type { CampaignAnswer } from '../../../src/http/answers/campaigns.ts'
import type { WheelSummary } from '../../../src/http/answers/wheels.ts'
import { t } from '../texts.ts'

type ListedWheel = Pick<WheelSummary, 'wheel' | 'name' | 'publishedVersion'>

/** Names may repeat, so each has its id. Wheels that only archived campaigns use are left out. */
export function wheelOptions(
  wheels: readonly ListedWheel[],
  campaigns: readonly Pick<CampaignAnswer, 'wheel' | 'archivedAt'>[],
): { value: string; label: string }[] {
  const users = Map.groupBy(campaigns, ({ wheel }) => wheel)
  return wheels
    .filter(({ wheel }) => users.get(wheel)?.some(({ archivedAt }) => archivedAt === null) ?? true)
    .map((wheel) => ({ value: wheel.wheel, label: wheelLabel(wheel) }))
}

export function wheelLabel({ wheel, name, publishedVersion }: ListedWheel): string {
  const label = `${name} (${wheel})`
  return publishedVersion === null ? `${label} · ${t('wheels.state.draft')}` : label
}
