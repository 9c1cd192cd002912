/** "Is it fair?": an explanation for everyone, and one button that checks every spin that this page knows. */
import type { Play, Session } from '../api.ts'
import { button, fillSection, html } from '../page/dom.ts'
import { t } from '../texts/i18n.ts'
import { labelOf } from '../page/prize.ts'
import { campaignsIn, checkCampaign } from './check-campaign.ts'
import { refusedSpins } from './sent-seeds.ts'
import { openDialog } from './dialog.ts'
import type { Evidence } from './verify.ts'
import { verifyButton } from './verify-button.ts'
import {
  type Checked,
  checkPlay,
  isRedrawn,
  mark,
  publishedIn,
  refusedLine,
  verdict,
} from './verify-dialog.ts'

/** The newest play is the first. */
export function showFairness({ next }: Session, plays: readonly Play[], evidence: Evidence): void {
  const refused = html('div', { id: 'refused' })
  void showRefused(refused, next, plays, evidence)
  const campaigns = campaignsIn(evidence)
  const steps = (['lock', 'add', 'mix'] as const).map((step) => html('li', {}, t(`fairness.${step}`)))
  const fingerprint = html(
    'details',
    {},
    html('summary', {}, t('fairness.numbers')),
    html(
      'div',
      {},
      html('p', {}, t('fairness.commitment', { number: next.playNumber })),
      html('code', { dir: 'ltr', id: 'commitment' }, next.commitment),
    ),
  )
  fillSection(
    'fairness',
    t('fairness.title'),
    html('ol', {}, ...steps),
    plays.length === 0
      ? html('p', {}, t('fairness.none'))
      : button('secondary', t('fairness.check'), () => checkAll(plays, evidence)),
    ...(campaigns.length === 0
      ? []
      : [button('secondary', t('campaign.check'), () => checkCampaign(plays, evidence))]),
    refused,
    fingerprint,
  )
}

/** The spins that were refused after their seed was sent, and what became of them. */
async function showRefused(
  place: HTMLElement,
  next: Session['next'],
  plays: readonly Play[],
  evidence: Evidence,
): Promise<void> {
  const byNumber = new Map(plays.map((play) => [play.playNumber, play]))
  const spins = await refusedSpins(byNumber, next, publishedIn(evidence))
  if (spins.length === 0) return
  place.replaceChildren(
    html('h3', {}, t('refused.title', { count: spins.length })),
    html('ul', { class: 'steps' }, ...spins.map(refusedLine)),
  )
}

async function checkAll(plays: readonly Play[], evidence: Evidence): Promise<void> {
  const checked = await Promise.all(plays.map((play) => checkPlay(play, evidence)))
  openDialog(t('fairness.title'), report(checked, evidence))
}

function report(checked: readonly Checked[], evidence: Evidence): HTMLElement[] {
  // A wheel that could not be loaded is no sign of a manipulation.
  if (checked.some(({ published }) => published === null)) return [html('p', {}, t('verify.unreachable'))]
  const count = checked.length
  const wrong = checked.filter(({ isFair }) => !isFair).length
  const lines = checked.map((one) => {
    const { play, isFair } = one
    const text = t('fairness.spin', { number: play.playNumber, label: labelOf(play).text })
    const name = isFair ? (isRedrawn(one) ? 'trusted' : 'good') : 'bad'
    const sign = mark(name === 'trusted' ? null : isFair)
    return html('li', { class: name }, sign, verifyButton(play, evidence, text))
  })
  const refused = checked.flatMap((one) => one.refused)
  return [
    verdict(wrong === 0, wrong === 0 ? t('fairness.good', { count }) : t('fairness.bad', { wrong, count })),
    html('ol', { class: 'steps' }, ...lines),
    ...(refused.length === 0 ? [] : [html('ul', { class: 'steps' }, ...refused.map(refusedLine))]),
  ]
}
