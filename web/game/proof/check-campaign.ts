/** "Check the whole campaign": verifies the runs of paced prizes, and that this player's spins fit them. */
import { endOf, type Pace } from '../../../src/fairness/pace.ts'
import type { PacedVersion } from '../../../src/fairness/verify-gates.ts'
import { checkGates } from '../../../src/fairness/verify-run.ts'
import type { Play } from '../api.ts'
import { html } from '../page/dom.ts'
import { formatTime, t } from '../texts/i18n.ts'
import { localised } from '../texts/own-texts.ts'
import { isSound, loadRuns } from './pace-proof.ts'
import { readWheel } from '../wheel/published.ts'
import { hashing } from './sha256.ts'
import { openDialog } from './dialog.ts'
import type { Evidence } from './verify.ts'
import { mark } from './verify-dialog.ts'

type Campaign = { label: string; pace: Pace; version: PacedVersion; isBudget: boolean }

/** The paced prizes and budgets of all wheels that this page has seen. */
export function campaignsIn(evidence: Evidence): Campaign[] {
  const found = [...evidence.published.values()].flatMap((published): Campaign[] => {
    const version = JSON.parse(published) as PacedVersion
    const labels = localised(readWheel(published)).segments.map(({ label }) => label)
    const prizes = version.segments.flatMap(({ pace }, index) =>
      pace === undefined ? [] : [{ label: labels[index] ?? '', pace, version, isBudget: false }],
    )
    const { budget: pace } = version
    const label = t('campaign.budget')
    return [...prizes, ...(pace === undefined ? [] : [{ label, pace, version, isBudget: true }])]
  })
  return [...new Map(found.map((one) => [one.pace.commitment, one])).values()]
}

export async function checkCampaign(plays: readonly Play[], evidence: Evidence): Promise<void> {
  const campaigns = campaignsIn(evidence)
  const runs = await loadRuns(campaigns.map(({ pace }) => pace))
  const lines = campaigns.map(({ label, pace, version, isBudget }) => {
    const run = runs.get(pace.commitment)
    const time = formatTime(new Date(endOf(pace.spans)).toISOString())
    if (run === undefined) return line(null, t('campaign.running', { label, time }))
    const own = plays.filter(({ proof }) => evidence.published.has(proof.versionHash))
    const areOwnRight = own.every(
      (play) => checkGates(play, versionOf(play, evidence), runs, hashing) !== 'wrong',
    )
    if (!isSound(run, version) || !areOwnRight) return line(false, t('campaign.bad', { label }))
    const scale = isBudget ? 100 : 1
    const last = (kind: string) => run.entries.findLast((entry) => entry.kind === kind)?.unit ?? 0
    const given = (last('award') - last('return')) / scale
    return line(true, t('campaign.good', { label, given, units: pace.units / scale }))
  })
  openDialog(t('campaign.check'), [html('ul', { class: 'steps' }, ...lines)])
}

function versionOf({ proof }: Play, { published }: Evidence): PacedVersion {
  return JSON.parse(published.get(proof.versionHash) as string) as PacedVersion
}

function line(isRight: boolean | null, text: string): HTMLElement {
  const name = isRight === null ? 'trusted' : isRight ? 'good' : 'bad'
  return html('li', { class: name }, mark(isRight), html('p', {}, text))
}
