/** The form after a win, below the result, which never waits for it. */
import { isRefused } from '../api.ts'
import { button, html } from '../page/dom.ts'
import { loadEntryTexts, say } from './entry-texts.ts'
import { loadForms, sendAnswers } from './later-api.ts'
import { laterForm } from './later-form.ts'

const typed = new Map<string, string>()
/** Answered or left out, as long as the page is open. */
let isOver = false

/** `isWanted`: whether the result is still there once the form has arrived. */
export async function showAfterWin(
  place: HTMLElement,
  session: string,
  isWanted: () => boolean,
): Promise<void> {
  if (isOver) return
  const [forms] = await Promise.all([loadForms(session), loadEntryTexts()])
  if (isRefused(forms) || forms.afterWin.length === 0 || !isWanted()) return
  const heading = html('h3', { id: 'after-win', tabindex: -1 }, say('afterWin.title'))
  const section = html('section', { class: 'after-win', 'aria-labelledby': 'after-win' }, heading)
  const leave = () => {
    isOver = true
    section.remove()
    document.getElementById('panel-title')?.focus({ preventScroll: true })
  }
  const form = laterForm({
    fields: forms.afterWin,
    text: say('afterWin.text'),
    action: say('afterWin.action'),
    labelledBy: 'after-win',
    send: (answers) => {
      const { lang: language } = document.documentElement
      return sendAnswers({ session, formVersion: forms.formVersion, language, answers })
    },
    onDone: () => {
      isOver = true
      const thanks = html('p', { class: 'note', role: 'status', tabindex: -1 }, say('afterWin.done'))
      section.replaceChildren(thanks)
      thanks.focus()
    },
    onOutdated: () => {
      section.remove()
      void showAfterWin(place, session, isWanted)
    },
    typed,
  })
  section.append(form.element, button('quiet', say('afterWin.skip'), leave))
  place.append(section)
}
