/** Claims a prize: by the form of its campaign in a dialog, or at once if nothing is asked. */
import { isRefused, type Refused } from '../api.ts'
import { html } from '../page/dom.ts'
import { closeDialog, openDialog } from '../proof/dialog.ts'
import { t } from '../texts/i18n.ts'
import type { Answer } from './entry-api.ts'
import { loadEntryTexts, say } from './entry-texts.ts'
import type { LaterForms } from './later-api.ts'
import { laterForm } from './later-form.ts'

export type Claiming<Done extends object> = {
  prize: string
  loadForms: () => Promise<LaterForms | Refused>
  /** Claims the prize, and gets what is shown then. Safe to repeat. */
  claim: (formVersion: number, answers: Record<string, Answer>) => Promise<Done | Refused>
  onClaimed: (done: Done) => void
}

/** The same for all prizes: most people want all of them sent to one place. */
const typed = new Map<string, string>()

export async function openClaim<Done extends object>(
  claiming: Claiming<Done>,
  { isOutdated = false } = {},
): Promise<void> {
  const [forms] = await Promise.all([claiming.loadForms(), loadEntryTexts()])
  if (isRefused(forms)) return showDialog(html('p', {}, t('offline.text')))
  const form = laterForm({
    fields: forms.toClaim,
    text: say('claim.text', { prize: claiming.prize }),
    action: say('claim.action'),
    labelledBy: 'verify-title',
    send: (answers) => claiming.claim(forms.formVersion, answers),
    onDone: (done) => {
      closeDialog()
      claiming.onClaimed(done)
    },
    onOutdated: () => void openClaim(claiming, { isOutdated: true }),
    typed,
  })
  showDialog(form.element)
  if (isOutdated) form.showNote(say('form.outdated'))
}

function showDialog(content: HTMLElement): void {
  openDialog(say('claim.title'), [html('div', {}, content)])
}
