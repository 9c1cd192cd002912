/**
 * Text that a person must tell from other text, such as a player's id. Characters that nobody can see, or that reorder
 * their neighbours, are written as `⟨U+202E⟩`, so that two different ids don't look the same because of them. So are
 * `⟨` itself, and every space except a single plain one.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `⟨U+${hexOf(character.codePointAt(0) ?? 0)}⟩`)
}

/** JSON to read and to copy: the same characters are written as `\u202E`, which means the same value. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(unseen, (character) =>
    [...Array(character.length).keys()].map((unit) => `\\u${hexOf(character.charCodeAt(unit))}`).join(''),
  )
}

function hexOf(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}

// U+2800 is a braille pattern without dots.
const unseen = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu
// Browsers show several plain spaces as one.
const hidden = new RegExp(`${unseen.source}|⟨|(?<= ) `, 'gu')
