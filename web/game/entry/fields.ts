/** The fields of the form, one function for each kind. What was typed is kept by the names of the controls. */
import { html } from '../page/dom.ts'
import { pageLocale } from '../texts/i18n.ts'
import { westernDigits } from './digits.ts'
import type { Answer, Field } from './entry-api.ts'
import { type EntryTextKey, say } from './entry-texts.ts'

export type Made = {
  field: Field
  element: HTMLElement
  /** Gets the focus if the answer is wrong. */
  control: HTMLElement
  /** Undefined: not answered. */
  answer: () => Answer | undefined
  /** What is wrong with the answer, as far as the page can know. */
  wrong: () => EntryTextKey | null
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
type Typed = Record<string, string>

/** Longer texts get several lines. */
const lineLengthMax = 120
/** More options than these are a list. */
const radiosMax = 5

export function makeField(field: Field, typed: Typed, hint: string | null): Made {
  return makers[field.kind](field, typed, hint)
}

const makers: Record<Field['kind'], (field: Field, typed: Typed, hint: string | null) => Made> = {
  email: (field, typed, hint) =>
    line(field, typed, hint, { type: 'email', inputmode: 'email', autocomplete: 'email', dir: 'ltr' }),
  name: (field, typed, hint) => line(field, typed, hint, { type: 'text', autocomplete: 'name' }),
  phone: (field, typed, hint) =>
    line(field, typed, hint, { type: 'tel', inputmode: 'tel', autocomplete: 'tel', dir: 'ltr' }),
  text: (field, typed, hint) => line(field, typed, hint, { type: 'text', autocomplete: 'off' }),
  birth,
  choice: (field, typed) => ((field.options ?? []).length > radiosMax ? list : radios)(field, typed),
  consent,
}

/** The words of `wrong` for a refusal of the server, which gives no reason that a visitor could read. */
export function wrongText({ kind }: Field): EntryTextKey {
  return kind === 'email' || kind === 'phone' || kind === 'birth' || kind === 'choice' || kind === 'consent'
    ? `wrong.${kind}`
    : 'wrong.answer'
}

/** Shows what is wrong with a field, or nothing. */
export function mark({ element }: Made, text: string | null): void {
  const error = element.querySelector('.error') as HTMLElement
  error.textContent = text ?? ''
  error.hidden = text === null
  for (const control of controlsIn(element)) control.setAttribute('aria-invalid', String(text !== null))
}

export function controlsIn(element: Element): Control[] {
  return [...element.querySelectorAll<Control>('input, select, textarea')]
}

function line(field: Field, typed: Typed, hint: string | null, attributes: Record<string, string>): Made {
  const { id, lengthMax } = field
  const isLong = attributes.type === 'text' && field.kind === 'text' && (lengthMax ?? 0) > lineLengthMax
  const shared = { ...controlOf(field), ...(lengthMax === undefined ? {} : { maxlength: lengthMax }) }
  const control = isLong
    ? html('textarea', { ...shared, rows: 3 })
    : html('input', {
        ...shared,
        ...attributes,
        autocapitalize: field.kind === 'email' ? 'none' : 'sentences',
      })
  control.value = typed[id] ?? ''
  const text = () => control.value.trim()
  return {
    field,
    element: html('div', { class: 'field' }, labelOf(field), ...hintOf(field, hint), control, errorOf(field)),
    control,
    answer: () => text() || undefined,
    wrong: () => {
      if (text() === '') return missing(field, 'wrong.missing')
      return field.kind === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text()) ? 'wrong.email' : null
    },
  }
}

/** Month and year, typed freely: a list of years would tell which ones are accepted. */
function birth(field: Field, typed: Typed): Made {
  const part = (name: 'month' | 'year', autocomplete: string, digits: number) => {
    const control = html('input', {
      ...controlOf(field, `.${name}`),
      type: 'text',
      inputmode: 'numeric',
      maxlength: digits,
      size: digits,
      dir: 'ltr',
    })
    // Not both: filled in by the browser, they would be those of whoever used it last.
    control.autocomplete = autocomplete as AutoFill
    control.value = typed[control.name] ?? ''
    const label = html('label', { for: control.id }, say(`birth.${name}`))
    return { control, element: html('div', {}, label, control) }
  }
  const month = part('month', 'bday-month', 2)
  const year = part('year', 'bday-year', 4)
  const parts = isYearFirst() ? [year, month] : [month, year]
  const numberIn = ({ control }: { control: HTMLInputElement }) => Number(westernDigits(control.value.trim()))
  const isEmpty = () => [month, year].every(({ control }) => control.value.trim() === '')
  return {
    field,
    element: group(field, html('div', { class: 'parts' }, ...parts.map(({ element }) => element))),
    control: (parts[0] as typeof month).control,
    answer: () => (isEmpty() ? undefined : { year: numberIn(year), month: numberIn(month) }),
    wrong: () => {
      if (isEmpty()) return missing(field, 'wrong.birth')
      const isMonth = numberIn(month) >= 1 && numberIn(month) <= 12 && Number.isInteger(numberIn(month))
      return isMonth && /^[1-9]\d{3}$/.test(String(numberIn(year))) ? null : 'wrong.birth'
    },
  }
}

function radios(field: Field, typed: Typed): Made {
  const rows = (field.options ?? []).map(({ id, label }, index) => {
    const control = html('input', { ...controlOf(field, '', index), type: 'radio', value: id })
    control.checked = typed[field.id] === id
    return { control, element: html('label', { class: 'tick' }, control, html('span', {}, label)) }
  })
  const chosen = () => rows.find(({ control }) => control.checked)?.control.value
  return {
    field,
    element: group(field, ...rows.map(({ element }) => element)),
    control: rows[0]?.control as HTMLElement,
    answer: chosen,
    wrong: () => (chosen() === undefined ? missing(field, 'wrong.choice') : null),
  }
}

function list(field: Field, typed: Typed): Made {
  const options = (field.options ?? []).map(({ id, label }) => html('option', { value: id }, label))
  const control = html(
    'select',
    controlOf(field),
    html('option', { value: '' }, say('choice.none')),
    ...options,
  )
  control.value = typed[field.id] ?? ''
  return {
    field,
    element: html('div', { class: 'field' }, labelOf(field), control, errorOf(field)),
    control,
    answer: () => control.value || undefined,
    wrong: () => (control.value === '' ? missing(field, 'wrong.choice') : null),
  }
}

/** Ticked by the visitor only. An empty box is an answer too. */
function consent(field: Field, typed: Typed): Made {
  const control = html('input', { ...controlOf(field), type: 'checkbox', value: 'on' })
  control.checked = typed[field.id] === 'on'
  const text = html('span', {}, field.label, ...optionalIn(field))
  return {
    field,
    element: html('div', { class: 'field' }, html('label', { class: 'tick' }, control, text), errorOf(field)),
    control,
    answer: () => control.checked,
    wrong: () => (control.checked ? null : missing(field, 'wrong.consent')),
  }
}

function missing({ isRequired }: Field, text: EntryTextKey): EntryTextKey | null {
  return isRequired ? text : null
}

function controlOf({ id, isRequired, kind }: Field, part = '', index = 0): Record<string, string> {
  const isInGroup = part !== '' || kind === 'choice'
  return {
    id: `field-${id}${part}${index === 0 ? '' : `-${index}`}`,
    name: `${id}${part}`,
    // A group of radio buttons says so itself.
    ...(isRequired && !isInGroup ? { 'aria-required': 'true' } : {}),
    'aria-describedby': `hint-${id} wrong-${id}`,
  }
}

function labelOf(field: Field): HTMLElement {
  return html('label', { for: `field-${field.id}` }, field.label, ...optionalIn(field))
}

/** Most fields are required, so the others are marked. */
function optionalIn({ isRequired }: Field): HTMLElement[] {
  return isRequired ? [] : [html('span', { class: 'optional' }, ` (${say('form.optional')})`)]
}

function hintOf({ id }: Field, hint: string | null): HTMLElement[] {
  return hint === null ? [] : [html('p', { class: 'hint', id: `hint-${id}` }, hint)]
}

function errorOf({ id }: Field): HTMLElement {
  return html('p', { class: 'error', id: `wrong-${id}`, hidden: true })
}

function group(field: Field, ...parts: HTMLElement[]): HTMLElement {
  const legend = html('legend', {}, field.label, ...optionalIn(field))
  return html('fieldset', { class: 'field' }, legend, ...parts, errorOf(field))
}

function isYearFirst(): boolean {
  const parts = new Intl.DateTimeFormat(pageLocale(), { year: 'numeric', month: 'numeric' }).formatToParts()
  return parts.find(({ type }) => type === 'month' || type === 'year')?.type === 'year'
}
