/** The form of an entry: its fields, what is wrong with them, the terms, and one button. */
import { html, button } from '../page/dom.ts'
import { formatShare, t } from '../texts/i18n.ts'
import type { Answer, EntryShown } from './entry-api.ts'
import { say } from './entry-texts.ts'
import { controlsIn, type Made, makeField, mark, wrongText } from './fields.ts'
import { hasTerms, openTerms } from './terms.ts'
import type { Progress } from './challenge.ts'

export type ShownForm = Pick<EntryShown, 'form' | 'terms' | 'verify' | 'spins' | 'closesAt'>

export class EntryForm {
  readonly element: HTMLFormElement
  readonly #fields: Made[]
  readonly #rest: HTMLElement
  readonly #summary = html('div', { class: 'summary', tabindex: -1, hidden: true })
  readonly #check = html('p', { class: 'hint', role: 'status' })
  readonly #status = html('p', { class: 'status', role: 'status' })
  readonly #button = html('button', { class: 'primary', type: 'submit' }, say('form.action'))

  constructor(shown: ShownForm, typed: Record<string, string>) {
    const hint = shown.verify === 'code' ? say('form.mail') : null
    this.#fields = shown.form.fields.map((field) =>
      makeField(field, typed, field.kind === 'email' ? hint : null),
    )
    const terms = hasTerms(shown)
      ? [
          html(
            'p',
            { class: 'hint' },
            say('form.accept'),
            ' ',
            button('inline', say('terms.read'), () => openTerms(shown)),
          ),
        ]
      : []
    this.#rest = html('div', { class: 'fields' }, ...this.#fields.map(({ element }) => element), ...terms)
    this.element = html(
      'form',
      { class: 'entry', novalidate: true, 'aria-labelledby': 'panel-title' },
      html('p', { class: 'hint' }, say('form.text', { count: shown.spins })),
      this.#summary,
      this.#rest,
      this.#check,
      this.#status,
      this.#button,
    )
  }

  /** What was typed, by the names of the controls. */
  typed(): Record<string, string> {
    const isAnswered = (control: Element) =>
      !(control instanceof HTMLInputElement) || control.checked || !/^(?:radio|checkbox)$/.test(control.type)
    return Object.fromEntries(
      controlsIn(this.element)
        .filter(isAnswered)
        .map(({ name, value }) => [name, value]),
    )
  }

  answers(): Record<string, Answer> {
    const answered = this.#fields.map(({ field, answer }) => [field.id, answer()] as const)
    return Object.fromEntries(answered.filter((one): one is [string, Answer] => one[1] !== undefined))
  }

  /** Where a code is sent. */
  address(): string {
    const answer = this.#fields.find(({ field }) => field.kind === 'email')?.answer()
    return typeof answer === 'string' ? answer : ''
  }

  /** Whether all answers can be sent. If not, the visitor learns which ones can't. */
  check(): boolean {
    const wrong = this.#fields.flatMap((made) => {
      const key = made.wrong()
      return key === null ? [] : [{ made, text: say(key) }]
    })
    this.#showWrong(wrong)
    return wrong.length === 0
  }

  /** What the server found: pointers such as `/answers/email`. False if none of them is a field of the form. */
  showRefused(pointers: string[], text?: string): boolean {
    const ids = new Set(pointers.map((pointer) => pointer.split('/')[2]))
    const wrong = this.#fields
      .filter(({ field }) => ids.has(field.id))
      .map((made) => ({ made, text: text ?? say(wrongText(made.field)) }))
    this.#showWrong(wrong)
    return wrong.length > 0
  }

  showNote(text: string): void {
    this.#fillSummary(html('p', {}, text))
  }

  /** The summary gets the focus; its links lead to the fields. */
  #showWrong(wrong: { made: Made; text: string }[]): void {
    for (const made of this.#fields) mark(made, wrong.find((one) => one.made === made)?.text ?? null)
    this.#summary.hidden = true
    if (wrong.length === 0) return
    const links = wrong.map(({ made, text }) => {
      const link = html('a', { href: `#${made.control.id}` }, html('bdi', {}, nameOf(made)), `: ${text}`)
      link.addEventListener('click', (event) => {
        event.preventDefault()
        made.control.focus()
      })
      return html('li', {}, link)
    })
    this.#fillSummary(html('p', {}, say('form.wrong', { count: wrong.length })), html('ul', {}, ...links))
  }

  #fillSummary(...content: HTMLElement[]): void {
    this.#summary.replaceChildren(...content)
    this.#summary.hidden = false
    this.#summary.focus()
  }

  /** While the entry is on its way, its answers can't be changed. The button keeps the focus. */
  setBusy(): void {
    this.#rest.inert = true
    this.#summary.hidden = true
    this.#setButton(t('loading.action'), false)
  }

  /** There is no answer yet. The button sends the entry again. */
  setUnsent(): void {
    this.#status.textContent = say('unsent.text')
    this.#setButton(say('unsent.action'), true)
  }

  setReady(): void {
    this.#rest.inert = false
    this.#status.textContent = ''
    this.#setButton(say('form.action'), true)
  }

  #setButton(action: string, isPressable: boolean): void {
    this.#button.textContent = action
    this.#button.setAttribute('aria-disabled', String(!isPressable))
  }

  showProgress(progress: Progress): void {
    const share = progress === null ? '' : formatShare(Math.round(progress * 10), { decimals: 0, whole: 10 })
    const text = progress === null ? '' : progress === 1 ? say('check.done') : say('check.running', { share })
    if (this.#check.textContent !== text) this.#check.textContent = text
  }

  focusFirst(): void {
    const empty = controlsIn(this.element).find(({ value }) => value === '')
    ;(empty ?? this.#button).focus()
  }
}

/** A label may be a question, or end with a colon. */
function nameOf({ field: { label } }: Made): string {
  return label.replace(/[\s:?*：？؟]+$/u, '')
}
