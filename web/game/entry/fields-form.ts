/** A form with fields, what is wrong with them, and one button. */
import { html } from '../page/dom.ts'
import { t } from '../texts/i18n.ts'
import type { Answer, Field } from './entry-api.ts'
import { say } from './entry-texts.ts'
import { controlsIn, type Made, makeField, mark, wrongText } from './fields.ts'

type Parts = {
  fields: readonly Field[]
  /** By the names of the controls. */
  typed: Record<string, string>
  hintOf?: (field: Field) => string | null
  text: string
  /** Below the fields. */
  more?: readonly HTMLElement[]
  /** Above the button. */
  status?: readonly HTMLElement[]
  action: string
  unsentText: string
  /** The id of the heading that names the form. */
  labelledBy: string
}

export class FieldsForm {
  readonly element: HTMLFormElement
  protected readonly fields: readonly Made[]
  readonly #parts: Parts
  readonly #rest: HTMLElement
  readonly #summary = html('div', { class: 'summary', tabindex: -1, hidden: true })
  readonly #status = html('p', { class: 'status', role: 'status' })
  readonly #button: HTMLButtonElement

  constructor(parts: Parts) {
    const { fields, typed, hintOf = () => null, text, more = [], status = [], action, labelledBy } = parts
    this.#parts = parts
    this.#button = html('button', { class: 'primary', type: 'submit' }, action)
    this.fields = fields.map((field) => makeField(field, typed, hintOf(field)))
    this.#rest = html('div', { class: 'fields' }, ...this.fields.map(({ element }) => element), ...more)
    this.element = html(
      'form',
      { class: 'entry', novalidate: true, 'aria-labelledby': labelledBy },
      html('p', { class: 'hint' }, text),
      this.#summary,
      this.#rest,
      ...status,
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
    const answered = this.fields.map(({ field, answer }) => [field.id, answer()] as const)
    return Object.fromEntries(answered.filter((one): one is [string, Answer] => one[1] !== undefined))
  }

  /** Whether all answers can be sent. If not, the visitor learns which ones can't. */
  check(): boolean {
    const wrong = this.fields.flatMap((made) => {
      const key = made.wrong()
      return key === null ? [] : [{ made, text: say(key) }]
    })
    this.#showWrong(wrong)
    return wrong.length === 0
  }

  /** What the server found: pointers such as `/answers/email`. False if none of them is a field of the form. */
  showRefused(pointers: string[], text?: string): boolean {
    const ids = new Set(pointers.map((pointer) => pointer.split('/')[2]))
    const wrong = this.fields
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
    for (const made of this.fields) mark(made, wrong.find((one) => one.made === made)?.text ?? null)
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

  /** While the answers are on their way, they can't be changed. The button keeps the focus. */
  setBusy(): void {
    this.#rest.inert = true
    this.#summary.hidden = true
    this.#setButton(t('loading.action'), false)
  }

  /** There is no answer yet. The button sends the form again. */
  setUnsent(): void {
    this.#status.textContent = this.#parts.unsentText
    this.#setButton(say('unsent.action'), true)
  }

  setReady(): void {
    this.#rest.inert = false
    this.#status.textContent = ''
    this.#setButton(this.#parts.action, true)
  }

  #setButton(action: string, isPressable: boolean): void {
    this.#button.textContent = action
    this.#button.setAttribute('aria-disabled', String(!isPressable))
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
