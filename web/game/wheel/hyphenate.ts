/**
 * Where a long word may be broken. Soft hyphens of the merchant come first; without them, between syllables as most
 * European languages have them: before a single consonant, or before the last of several. Pure.
 */
const lengthMin = 7
const partMin = 3
const vowels = 'aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿāēīōūąęěıőűůœаеёиоуыэюяіїєαεηιουωάέήίόύώ'
/** Letters that sound as one, or begin a syllable together. */
const together = /^(?:s?ch|ck|[cpstk]h|qu|[bcdfgkptv][rl]|ст|сп|тр|пр)$/

export function hyphenate(word: string): string[] {
  if (word.includes('\u00ad')) return word.split('\u00ad').filter((part) => part !== '')
  if (/^\P{L}*-|-/u.test(word.slice(1, -1))) return word.split(/(?<=-)/).flatMap(hyphenate)
  if (word.length < lengthMin || !/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{P}]+$/u.test(word))
    return [word]
  const parts: string[] = []
  let start = 0
  for (const { index, 0: between } of word.matchAll(consonants)) {
    const place = index + between.length - lengthOfOnset(between)
    if (place - start < partMin || word.length - place < partMin) continue
    parts.push(word.slice(start, place))
    start = place
  }
  return [...parts, word.slice(start)]
}

/** The consonants between two vowels. */
const consonants = new RegExp(`(?<=[${vowels}])[^${vowels}\\P{L}]+(?=[${vowels}])`, 'giu')

/** How many of these consonants begin the next syllable. */
function lengthOfOnset(between: string): number {
  const lower = between.toLowerCase()
  // German joins words with an s, as in Weihnachts-überraschung.
  if (/(?:cht|ng|ft)s$/.test(lower)) return 0
  return [3, 2].find((length) => length <= lower.length && together.test(lower.slice(-length))) ?? 1
}
