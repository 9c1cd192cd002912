import { type FieldError, Refusal } from '../refusals.ts'
import { linesPattern } from '../text-patterns.ts'
import { readAddress, type AddressParts, foldAddress } from './address.ts'
import { isOldEnough, type Month } from './age.ts'
import type { EntryAnswer, EntryField } from './form.ts'
import { lengthMaxOf } from './shown-form.ts'

type Answers = Record<string, EntryAnswer>
type ReadAnswer = { answer: EntryAnswer } | { detail: string } | undefined

export type GivenConsent = { field: string; purpose: 'marketing' | 'other' }

export type ReadAnswers = {
  errors: FieldError[]
  /** Whether the address is what is wrong. */
  isAddressRefused: boolean
  /** What is stored: trimmed, and without what was left empty. */
  answers: Answers
  /** The address as it was typed; mail goes there. */
  address: string
  parts: AddressParts
  fold: string
  consents: GivenConsent[]
}

/** Checks answers against the fields that are asked. */
export function readAnswers(asked: readonly EntryField[], given: Answers): ReadAnswers {
  const read = asked.map((field) => ({ field, result: readAnswer(field, given[field.id]) }))
  const unknown = Object.keys(given)
    .filter((id) => !asked.some((field) => field.id === id))
    .map((id) => ({ pointer: pointerOf(id), detail: 'is no field of the form' }))
  const wrong = read.flatMap(({ field, result }) =>
    result !== undefined && 'detail' in result
      ? [{ pointer: pointerOf(field.id), detail: result.detail }]
      : [],
  )
  const answers = Object.fromEntries(
    read.flatMap(({ field, result }) =>
      result !== undefined && 'answer' in result ? [[field.id, result.answer]] : [],
    ),
  )
  const email = asked.find(({ kind }) => kind === 'email')
  const typed = answers[email?.id ?? '']
  const address = typeof typed === 'string' ? typed : ''
  const parts = readAddress(address)
  return {
    errors: [...wrong, ...unknown],
    isAddressRefused: email !== undefined && wrong.some(({ pointer }) => pointer === pointerOf(email.id)),
    answers,
    address,
    parts: parts ?? { name: '', domain: '' },
    fold: (parts && foldAddress(parts)) ?? '',
    consents: asked.flatMap(({ id, purpose }) =>
      purpose !== undefined && answers[id] === true ? [{ field: id, purpose }] : [],
    ),
  }
}

function pointerOf(id: string): string {
  return `/answers/${id.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The refusal of answers that are wrong, with the field of each. */
export function refuseWrong({ errors, isAddressRefused }: ReadAnswers): void {
  if (errors.length === 0) return
  const code = isAddressRefused && errors.length === 1 ? 'address_refused' : 'validation_failed'
  const detail = errors.map((one) => `${one.pointer} ${one.detail}`).join('; ')
  throw new Refusal(code, { detail, errors })
}

export function isTooYoung(asked: readonly EntryField[], answers: Answers, today: Month): boolean {
  return asked.some(({ id, kind, minimumAge }) => {
    const answer = answers[id]
    if (kind !== 'birth' || minimumAge === undefined || typeof answer !== 'object') return false
    return !isOldEnough(answer, minimumAge, today)
  })
}

function readAnswer(field: EntryField, given: EntryAnswer | undefined): ReadAnswer {
  const text = typeof given === 'string' ? given.trim() : given
  if (text === undefined || text === '' || (field.kind === 'consent' && text === false))
    return field.isRequired ? { detail: 'is required' } : text === false ? { answer: false } : undefined
  if (field.kind === 'consent') return text === true ? { answer: true } : { detail: 'must be true or false' }
  if (field.kind === 'birth') return readMonth(text)
  if (typeof text !== 'string') return { detail: 'must be a text' }
  return readText(field, text)
}

function readText({ kind, options }: EntryField, text: string): ReadAnswer {
  if (kind === 'choice')
    return options?.some(({ id }) => id === text) === true
      ? { answer: text }
      : { detail: 'must be the id of an option' }
  if (kind === 'email') {
    const parts = readAddress(text)
    return parts !== undefined && foldAddress(parts) !== undefined
      ? { answer: text }
      : { detail: 'must be an ordinary e-mail address' }
  }
  if (kind === 'phone') return phone.test(text) ? { answer: text } : { detail: 'must be a telephone number' }
  const lengthMax = lengthMaxOf(kind) ?? 0
  if (text.length > lengthMax) return { detail: `must have at most ${lengthMax} characters` }
  return (kind === 'name' ? line : lines).test(text)
    ? { answer: text }
    : { detail: 'must have no control characters' }
}

function readMonth(given: EntryAnswer): ReadAnswer {
  const { year, month } = typeof given === 'object' ? given : { year: 0, month: 0 }
  const isMonth = Number.isInteger(year) && Number.isInteger(month) && month >= 1 && month <= 12
  return isMonth && year >= 1900 && year <= 2200
    ? { answer: { year, month } }
    : { detail: 'must be a year and a month, such as { "year": 1990, "month": 4 }' }
}

const phone = /^\+?[0-9][0-9 ()/.-]{3,28}[0-9]$/
const lines = new RegExp(linesPattern, 'u')
const line = /^[^\p{Cc}\p{Cs}]*$/u
