/** The form of an entry: its fields, the terms, and the progress of the challenge. */
import { html, button } from '../page/dom.ts'
import { formatShare } from '../texts/i18n.ts'
import type { Progress } from './challenge.ts'
import type { EntryShown } from './entry-api.ts'
import { say } from './entry-texts.ts'
import { FieldsForm } from './fields-form.ts'
import { hasTerms, openTerms } from './terms.ts'

export type ShownForm = Pick<EntryShown, 'form' | 'terms' | 'verify' | 'spins' | 'closesAt'>

export class EntryForm extends FieldsForm {
  readonly #check: HTMLElement

  constructor(shown: ShownForm, typed: Record<string, string>) {
    const hint = shown.verify === 'code' ? say('form.mail') : null
    const check = html('p', { class: 'hint', role: 'status' })
    super({
      fields: shown.form.fields,
      typed,
      hintOf: ({ kind }) => (kind === 'email' ? hint : null),
      text: say('form.text', { count: shown.spins }),
      more: hasTerms(shown) ? [termsLine(shown)] : [],
      status: [check],
      action: say('form.action'),
      unsentText: say('unsent.text'),
      labelledBy: 'panel-title',
    })
    this.#check = check
  }

  /** Where a code is sent. */
  address(): string {
    const answer = this.fields.find(({ field }) => field.kind === 'email')?.answer()
    return typeof answer === 'string' ? answer : ''
  }

  showProgress(progress: Progress): void {
    const share = progress === null ? '' : formatShare(Math.round(progress * 10), { decimals: 0, whole: 10 })
    const text = progress === null ? '' : progress === 1 ? say('check.done') : say('check.running', { share })
    if (this.#check.textContent !== text) this.#check.textContent = text
  }
}

function termsLine(shown: ShownForm): HTMLElement {
  const read = button('inline', say('terms.read'), () => openTerms(shown))
  return html('p', { class: 'hint' }, say('form.accept'), ' ', read)
}
