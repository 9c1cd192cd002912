/** The terms of a promotion, in a dialog. */
import { html } from '../page/dom.ts'
import { openDialog } from '../proof/dialog.ts'
import { formatTime } from '../texts/i18n.ts'
import { markLanguage } from '../texts/own-texts.ts'
import type { EntryShown } from './entry-api.ts'
import { type EntryTextKey, say } from './entry-texts.ts'

type Shown = Pick<EntryShown, 'terms' | 'closesAt'>

export function hasTerms(shown: Shown): boolean {
  return factsOf(shown).length > 0 || shown.terms.text !== null || shown.terms.address !== null
}

export function openTerms(shown: Shown): void {
  const { text, address, language } = shown.terms
  const words = text === null ? [] : [html('p', { class: 'note' }, text)]
  for (const one of words) markLanguage(one, language)
  const facts = factsOf(shown).flatMap(([key, value]) => [
    html('dt', {}, say(key)),
    html('dd', {}, linked(value)),
  ])
  openDialog(say('terms.title'), [
    html(
      'div',
      { class: 'terms' },
      ...words,
      ...(address === null ? [] : [html('p', {}, linked(address))]),
      ...(facts.length === 0 ? [] : [html('dl', {}, ...facts)]),
    ),
  ])
}

function factsOf({ terms, closesAt }: Shown): [EntryTextKey, string][] {
  const { organiser, postalAddress, whoMayEnter, limitPerPerson, howToClaim, privacyAddress } = terms
  const facts: [EntryTextKey, string][] = [
    ['terms.organiser', [organiser, postalAddress].filter(Boolean).join('\n')],
    ['terms.end', closesAt === null ? '' : formatTime(closesAt)],
    ['terms.who', whoMayEnter],
    ['terms.limit', limitPerPerson],
    ['terms.claim', howToClaim],
    ['terms.privacy', privacyAddress],
  ]
  return facts.filter(([, value]) => value !== '')
}

/** In a page of its own, so that the form stays as it is. */
function linked(text: string): Node | string {
  if (!/^https?:\/\/\S+$/.test(text)) return text
  return html('a', { href: text, target: '_blank', rel: 'noopener noreferrer' }, text)
}
