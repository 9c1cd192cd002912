/**
 * The console's preview of an entry: the page before the game, with a form that sends nothing. Like the preview of a
 * wheel (preview.ts), it takes drafts only from the page that embeds it, and only if that page has the same origin.
 */
import type { EntryFieldTime } from '../../../src/entries/form.ts'
import { hashing } from '../proof/sha256.ts'
import { loadLanguage, t } from '../texts/i18n.ts'
import { showCard, showEntryHeading } from './card.ts'
import type { ShowWheel } from './enter.ts'
import { loadEntryTexts, say } from './entry-texts.ts'
import { FieldsForm } from './fields-form.ts'
import { EntryForm, type ShownForm } from './form.ts'
import './entry.css'

/** `published`: the text of the wheel. `language`: the one in which the form is being edited. */
export type EntryDraft = { published: string; language: string; when: EntryFieldTime; shown: ShownForm }

export function previewEntry(showWheel: ShowWheel): void {
  // The console has landmarks of its own; these need names beside them.
  for (const landmark of document.querySelectorAll('main, header'))
    landmark.setAttribute('aria-label', t('page.name'))
  let form: FieldsForm | undefined
  const show = async ({ published, language, when, shown }: EntryDraft) => {
    await loadLanguage(language)
    await loadEntryTexts()
    const wheel = showWheel({ hash: hashing.sha256(published), published, unavailable: [] })
    // What was typed to try it out stays.
    const typed = form?.typed() ?? {}
    const next =
      when === 'entry'
        ? new EntryForm(shown, typed)
        : laterForm(when, { fields: shown.form.fields, typed, prize: wheel.segments[0]?.label ?? '' })
    form = next
    next.element.addEventListener('submit', (event) => {
      event.preventDefault()
      next.check()
    })
    const title = when === 'entry' ? {} : { title: say(`${formOf[when]}.title`) }
    showCard('form', { ...title, text: '', action: '', details: [next.element] })
    showEntryHeading(wheel, { isInviting: when === 'entry' })
  }
  addEventListener('message', ({ origin, source, data }: MessageEvent<EntryDraft>) => {
    if (origin === location.origin && source === window.parent && data?.shown !== undefined) void show(data)
  })
  window.parent.postMessage({ source: 'wheelhouse', type: 'preview' }, location.origin)
}

const formOf = { afterWin: 'afterWin', toClaim: 'claim' } as const

function laterForm(
  when: keyof typeof formOf,
  { prize, ...parts }: { fields: ShownForm['form']['fields']; typed: Record<string, string>; prize: string },
): FieldsForm {
  return new FieldsForm({
    ...parts,
    text: say(`${formOf[when]}.text`, { prize }),
    action: say(`${formOf[when]}.action`),
    unsentText: '',
    labelledBy: 'panel-title',
  })
}
