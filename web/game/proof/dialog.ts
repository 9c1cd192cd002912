/** The dialog for verdicts, terms and claims. The first element of its content describes it. */
import { button, byId, html } from '../page/dom.ts'
import { t } from '../texts/i18n.ts'

export function openDialog(title: string, content: HTMLElement[]): void {
  const dialog = dialogHere()
  const close = button('secondary', t('verify.close'), () => dialog.close())
  const heading = html('h2', { id: 'verify-title', tabindex: -1 }, title)
  content[0]?.setAttribute('id', 'verdict')
  dialog.replaceChildren(heading, ...content, close)
  if (!dialog.open) dialog.showModal()
  // Otherwise the focus would be at the first button or summary, below the verdict.
  heading.focus()
  dialog.scrollTop = 0
}

export function closeDialog(): void {
  dialogHere().close()
}

function dialogHere(): HTMLDialogElement {
  return byId('verify') as HTMLDialogElement
}
