/** The dialog for verdicts. */
import { button, byId, html } from './dom.ts'
import { t } from './i18n.ts'

export function openDialog(title: string, content: HTMLElement[]): void {
  const dialog = byId('verify') as HTMLDialogElement
  const close = button('secondary', t('verify.close'), () => dialog.close())
  dialog.replaceChildren(html('h2', { id: 'verify-title' }, title), ...content, close)
  if (!dialog.open) dialog.showModal()
  dialog.scrollTop = 0
}
