/** "Verify this spin": recomputes the play in the player's browser and shows every step. */
import { isRefused, loadVersion, type Play } from './api.ts'
import { copyText } from './clipboard.ts'
import { button, byId, html } from './dom.ts'
import { t } from './i18n.ts'
import { type Step, verifyPlay, type Witness } from './verify.ts'

export type Evidence = {
  /** The published texts loaded so far, by their hash. */
  published: ReadonlyMap<string, string>
  witnesses: ReadonlyMap<string, Witness>
}

/** A button that opens the dialog for a play. */
export function verifyButton(play: Play, evidence: Evidence, text = t('verify.open')): HTMLButtonElement {
  return button('quiet', text, () => openDialog(play, evidence))
}

async function openDialog(play: Play, evidence: Evidence): Promise<void> {
  const published = evidence.published.get(play.proof.versionHash) ?? (await loadPublished(play))
  const dialog = byId('verify') as HTMLDialogElement
  const close = button('secondary', t('verify.close'), () => dialog.close())
  const title = html('h2', { id: 'verify-title' }, t('verify.title', { number: play.playNumber }))
  dialog.replaceChildren(title, ...report(play, published, evidence), close)
  if (!dialog.open) dialog.showModal()
}

async function loadPublished({ proof }: Play): Promise<string | null> {
  const version = await loadVersion(proof.versionHash)
  return isRefused(version) ? null : version.published
}

function report(play: Play, published: string | null, evidence: Evidence): HTMLElement[] {
  if (published === null) return [html('p', {}, t('verify.unreachable'))]
  const steps = safely(() => verifyPlay(play, published, evidence.witnesses.get(play.playId) ?? null))
  const isFair = steps.length > 0 && steps.every((step) => step.isRight)
  return [
    html('p', { class: isFair ? 'verdict good' : 'verdict bad' }, t(isFair ? 'verify.good' : 'verify.bad')),
    html('ol', { class: 'steps' }, ...steps.map(showStep)),
    ...proofToKeep(play, published),
  ]
}

/** The play and the published text as one line for `wheelhouse verify`, so that the player need not trust this page. */
function proofToKeep(play: Play, published: string): HTMLElement[] {
  const proof = html('code', { class: 'proof', dir: 'ltr', tabindex: 0 }, JSON.stringify({ play, published }))
  const copy = button('quiet', t('verify.copy'), async (pressed) => {
    pressed.textContent = t((await copyText(proof)) ? 'prize.copied' : 'prize.marked')
  })
  return [proof, copy]
}

/** A malformed proof, for example with an odd number of digits, counts as a wrong one. */
function safely(verify: () => Step[]): Step[] {
  try {
    return verify()
  } catch {
    return []
  }
}

function showStep({ name, isRight, evidence, values }: Step): HTMLElement {
  const mark = html(
    'span',
    { class: 'mark', role: 'img', 'aria-label': t(isRight ? 'verify.passed' : 'verify.failed') },
    isRight ? '✓' : '✗',
  )
  const text = html('p', {}, t(`verify.${name}`, values))
  // The published text scrolls within its box, so the box must be focusable by keyboard.
  const shown = evidence === '' ? [] : [html('code', { dir: 'ltr', tabindex: 0 }, evidence)]
  return html('li', { class: isRight ? 'good' : 'bad' }, mark, html('div', {}, text, ...shown))
}
