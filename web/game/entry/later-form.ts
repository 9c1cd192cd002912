/** A form after the entry: sends its answers until there is an answer, and says what came of it. */
import { isRefused, type Refused } from '../api.ts'
import { Asking } from './asking.ts'
import type { Answer, Field } from './entry-api.ts'
import { type EntryTextKey, say } from './entry-texts.ts'
import { FieldsForm } from './fields-form.ts'
import './entry.css'

type LaterFormParts<Done extends object> = {
  fields: readonly Field[]
  text: string
  action: string
  labelledBy: string
  /** Safe to repeat. */
  send: (answers: Record<string, Answer>) => Promise<Done | Refused>
  onDone: (done: Done) => void
  /** The form has changed since it was shown. */
  onOutdated: () => void
  /** Where what was typed is kept while the page is open, also if the form is closed. */
  typed: Map<string, string>
}

export function laterForm<Done extends object>(parts: LaterFormParts<Done>): FieldsForm {
  const { typed } = parts
  const form = new FieldsForm({
    ...parts,
    typed: Object.fromEntries(typed),
    unsentText: say('later.unsent'),
  })
  const asking = new Asking()
  const submit = async () => {
    form.setBusy()
    const answer = await asking.during(
      () => asking.once(() => parts.send(form.answers())),
      () => form.setUnsent(),
    )
    form.setReady()
    if (!isRefused(answer)) parts.onDone(answer)
    else if (answer.code === 'form_outdated') parts.onOutdated()
    else showRefusal(form, answer)
  }
  const keep = () => {
    typed.clear()
    for (const [name, value] of Object.entries(form.typed())) typed.set(name, value)
  }
  form.element.addEventListener('input', keep)
  form.element.addEventListener('submit', (event) => {
    event.preventDefault()
    if (asking.isRunning) asking.retryNow()
    else if (form.check()) void submit()
  })
  return form
}

function showRefusal(form: FieldsForm, { code, problem }: Refused): void {
  const pointers = problem?.errors?.map(({ pointer }) => pointer) ?? []
  if (!form.showRefused(pointers)) form.showNote(say(reasons[code] ?? 'later.failed'))
}

const reasons: Record<string, EntryTextKey | undefined> = {
  prize_settled: 'claim.gone',
  prize_expired: 'claim.gone',
}
