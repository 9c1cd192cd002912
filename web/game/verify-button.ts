/** The button that verifies a spin, and the dialog for the verdict. The verifier itself is loaded when the game is ready. */
import type { Play } from './api.ts'
import { button, byId, html } from './dom.ts'
import { t } from './i18n.ts'
import type { Witness } from './verify.ts'

export type Evidence = {
  /** The published texts loaded so far, by their hash. */
  published: ReadonlyMap<string, string>
  witnesses: ReadonlyMap<string, Witness>
}

export function verifyButton(play: Play, evidence: Evidence, text = t('verify.open')): HTMLButtonElement {
  return button('quiet', text, () =>
    import('./verify-dialog.ts').then(({ openReport }) => openReport(play, evidence), sayUnreachable),
  )
}

export function openDialog(title: string, content: HTMLElement[]): void {
  const dialog = byId('verify') as HTMLDialogElement
  const close = button('secondary', t('verify.close'), () => dialog.close())
  dialog.replaceChildren(html('h2', { id: 'verify-title' }, title), ...content, close)
  if (!dialog.open) dialog.showModal()
  dialog.scrollTop = 0
}

/** Without a connection, the verifier could not be loaded. */
function sayUnreachable(): void {
  openDialog(t('verify.open'), [html('p', {}, t('verify.unreachable'))])
}
