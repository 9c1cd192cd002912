/** The button that verifies a spin. The verifier itself is loaded when the wheel is shown. */
import type { Play } from '../api.ts'
import { openDialog } from './dialog.ts'
import { button, html } from '../page/dom.ts'
import { t } from '../texts/i18n.ts'
import type { Evidence } from './verify.ts'

export function verifyButton(play: Play, evidence: Evidence, text = t('verify.open')): HTMLButtonElement {
  return button('quiet', text, () =>
    import('./verify-dialog.ts').then(({ openReport }) => openReport(play, evidence), sayUnreachable),
  )
}

/** Without a connection, the verifier could not be loaded. */
function sayUnreachable(): void {
  openDialog(t('verify.open'), [html('p', {}, t('verify.unreachable'))])
}
