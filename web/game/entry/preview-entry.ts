/**
 * The console's preview of an entry: the page before the game, with a form that sends nothing. Like the preview of a
 * wheel (preview.ts), it takes drafts only from the page that embeds it, and only if that page has the same origin.
 */
import { hashing } from '../proof/sha256.ts'
import { loadLanguage, t } from '../texts/i18n.ts'
import { showCard, showEntryHeading } from './card.ts'
import type { ShowWheel } from './enter.ts'
import { loadEntryTexts } from './entry-texts.ts'
import { EntryForm, type ShownForm } from './form.ts'
import './entry.css'

/** `published`: the text of the wheel. `language`: the one in which the form is being edited. */
export type EntryDraft = { published: string; language: string; shown: ShownForm }

export function previewEntry(showWheel: ShowWheel): void {
  // The console has landmarks of its own; these need names beside them.
  for (const landmark of document.querySelectorAll('main, header'))
    landmark.setAttribute('aria-label', t('page.name'))
  let form: EntryForm | undefined
  const show = async ({ published, language, shown }: EntryDraft) => {
    await loadLanguage(language)
    await loadEntryTexts()
    const wheel = showWheel({ hash: hashing.sha256(published), published, unavailable: [] })
    // What was typed to try it out stays.
    const next = new EntryForm(shown, form?.typed() ?? {})
    form = next
    next.element.addEventListener('submit', (event) => {
      event.preventDefault()
      next.check()
    })
    showCard('form', { text: '', action: '', details: [next.element] })
    showEntryHeading(wheel, { isInviting: true })
  }
  addEventListener('message', ({ origin, source, data }: MessageEvent<EntryDraft>) => {
    if (origin === location.origin && source === window.parent && data?.shown !== undefined) void show(data)
  })
  window.parent.postMessage({ source: 'wheelhouse', type: 'preview' }, location.origin)
}
