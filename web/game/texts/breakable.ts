import { hyphenate } from '../wheel/hyphenate.ts'

/**
 * The text with soft hyphens in long words, if the browser can't hyphenate the language: Chromium gets its dictionaries
 * later, and not on every system. Not in capitals: those may be a code that is copied.
 */
export function breakable(text: string, lang: string): string {
  const long = /\p{L}\p{Ll}{15,}/gu
  if (!long.test(text) || hyphenates(lang)) return text
  return text.replace(long, (word) => hyphenate(word).join('\u00ad'))
}

const known = new Map<string, boolean>()

function hyphenates(lang: string): boolean {
  const found = known.get(lang) ?? measured(lang)
  known.set(lang, found)
  return found
}

/** Whether a word that is too long for its line is broken. */
function measured(lang: string): boolean {
  const probe = document.createElement('div')
  Object.assign(probe, { lang, textContent: 'international' })
  Object.assign(probe.style, { position: 'absolute', width: '4em', hyphens: 'auto', visibility: 'hidden' })
  document.body.append(probe)
  const isBroken = probe.scrollWidth <= probe.clientWidth
  probe.remove()
  return isBroken
}
