import type { CampaignAnswer } from '../../../../../src/http/answers/campaigns.ts'
import type { WheelAnswer } from '../../../../../src/http/answers/wheels.ts'
import { useMerchantNow } from '../../../parts/merchant-now.ts'
import { formatDistance, t } from '../../../texts.ts'
import { languageNames } from '../../editor/texts/language-name.ts'
import { useHeldNote } from '../../held-prizes.ts'
import { lowShare, Notes, soonMs, To } from '../../overview/attention.tsx'

export type Stock = NonNullable<CampaignAnswer['figures']>['stock'][number]
type Note = { path: string; text: string }

/** What stands between this campaign and its players, or soon will. */
export function CampaignAttention(props: {
  campaign: CampaignAnswer
  wheel: WheelAnswer | undefined
  stock: readonly Stock[]
}) {
  const now = useMerchantNow()
  const { campaign, stock } = props
  const held = useHeldNote(campaign.campaign)
  const notes = [
    ...(held === undefined ? [] : [held]),
    ...notesOfState(campaign, now),
    ...notesOfWheel(props),
    ...notesOfStock(campaign, stock),
  ]
  return (
    <Notes
      notes={notes.map(({ path, text }) => (
        <To key={text} path={path}>
          {text}
        </To>
      ))}
    />
  )
}

function notesOfState(campaign: CampaignAnswer, now: number): Note[] {
  const { state, pausedAt, endsAt, scheduledWheel, name } = campaign
  const settings = `/campaigns/${campaign.campaign}?tab=settings`
  const left = endsAt === null ? Infinity : Date.parse(endsAt) - now
  return [
    ...(state === 'draft'
      ? [
          { path: `/wheels/${campaign.wheel}`, text: t('campaign.draftText', { wheel: campaign.wheelName }) },
          ...(pausedAt === null ? [] : [{ path: settings, text: t('campaign.pausedToo') }]),
        ]
      : []),
    ...(state === 'paused' ? [{ path: settings, text: t('home.paused') }] : []),
    ...(scheduledWheel !== null && scheduledWheel.failedAt !== null
      ? [{ path: settings, text: t('attention.notChanged', { name }) }]
      : []),
    ...(left > 0 && left < soonMs
      ? [{ path: settings, text: t('home.ends', { when: formatDistance(endsAt ?? '', now) }) }]
      : []),
  ]
}

function notesOfWheel({ campaign, wheel }: { campaign: CampaignAnswer; wheel: WheelAnswer | undefined }) {
  if (wheel === undefined) return []
  const { name, pausedAt, scheduledPublication, outdatedTranslations } = wheel
  const path = `/wheels/${campaign.wheel}`
  const languages = languageNames(outdatedTranslations)
  return [
    ...(pausedAt === null ? [] : [{ path, text: t('attention.paused', { wheel: name }) }]),
    ...(scheduledPublication !== null && scheduledPublication.failedAt !== null
      ? [{ path, text: t('attention.notPublished', { name }) }]
      : []),
    ...(languages === '' ? [] : [{ path: `${path}?tab=texts`, text: t('home.outdated', { languages }) }]),
  ]
}

function notesOfStock({ wheel }: CampaignAnswer, stock: readonly Stock[]): Note[] {
  return stock
    .filter(({ left, total }) => total > 0 && left / total < lowShare)
    .map(({ label, left }) => ({
      path: `/wheels/${wheel}`,
      text: t(left === 0 ? 'attention.stockOut' : 'attention.stockLow', { prize: label, count: left }),
    }))
}
