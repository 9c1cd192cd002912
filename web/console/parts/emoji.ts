/**
 * Whether the text is one emoji. It may have many code points: a family has seven. `\p{RGI_Emoji}` is not used because
 * it lacks emoji that are newer than the browser.
 */
export function isEmoji(text: string): boolean {
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)]
  return graphemes.length === 1 && /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|\u20e3/u.test(text)
}
