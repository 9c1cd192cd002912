/** Fits a label of any length and script into its place on the wheel. Pure: the caller passes the text measurement. */
import { hyphenate } from './hyphenate.ts'

/** A place for lines of text. `fit`: where that many lines of that size can be, and how wide each may be. */
export type Room = {
  sizeMax: number
  linesMax: number
  fit: (lines: number, size: number) => { radius: number; widths: number[] }[] | null
}
type Fitted = { lines: string[]; size: number; radius: number }
export type Measure = (text: string, size: number) => number
/** A piece of text after which a line may end. `joint` connects it to the piece before it; `end` closes a line. */
type Piece = { text: string; joint: string; end: string }

export const lineHeight = 1.14
const sizeMin = 4.6
const sizeStep = 0.95
/** How much larger the text must become for a word to be broken. */
const hyphenWorth = 1.3

/** As large as possible. Words are broken if that helps much. A text too long at any size gets an ellipsis. */
export function fitLabel(label: string, rooms: readonly Room[], measure: Measure): Fitted & { room: number } {
  const whole = bestOf(rooms, wordsOf(label), measure)
  const broken = bestOf(rooms, piecesOf(label), measure)
  if (whole !== null && (broken === null || broken.size < whole.size * hyphenWorth)) return whole
  return broken ?? { ...cutOff(label, rooms[0] as Room, measure), room: 0 }
}

/** The text of the wheel is mostly made of letters; a label of emoji alone can be larger. */
export function isEmojiOnly(label: string): boolean {
  return /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{RI}|\u200d|\ufe0f|\s)+$/u.test(label)
}

/** How far a line is from the middle of all lines. */
export function lineOffset(line: { index: number; count: number; size: number }): number {
  return (line.index - (line.count - 1) / 2) * line.size * lineHeight
}

function bestOf(rooms: readonly Room[], pieces: readonly Piece[], measure: Measure) {
  const found = rooms.flatMap((room, index) => {
    const fitted = largest(room, pieces, measure)
    return fitted === null ? [] : [{ ...fitted, room: index }]
  })
  // The first room is the preferred one, unless another allows a much larger text.
  return (
    found.toSorted((one, other) => other.size / 1.2 ** other.room - one.size / 1.2 ** one.room)[0] ?? null
  )
}

function largest(room: Room, pieces: readonly Piece[], measure: Measure): Fitted | null {
  for (let size = room.sizeMax; size >= sizeMin; size *= sizeStep) {
    for (let count = 1; count <= room.linesMax; count++) {
      for (const { radius, widths } of room.fit(count, size) ?? []) {
        const lines = breakLines(pieces, widths, (text) => measure(text, size))
        if (lines !== null) return { lines, size, radius }
      }
    }
  }
  return null
}

/** Null if the text does not fit, or if it leaves lines empty. */
function breakLines(pieces: readonly Piece[], widths: readonly number[], width: (text: string) => number) {
  const lines: string[] = []
  let line = ''
  let end = ''
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1
    const longer = line === '' ? piece.text : `${line}${piece.joint}${piece.text}`
    const fits = (text: string) => width(text + (isLast ? '' : piece.end)) <= (widths[lines.length] ?? 0)
    if (line !== '' && !fits(longer)) {
      lines.push(line + end)
      line = piece.text
      if (!fits(line)) return null
    } else if (fits(longer)) line = longer
    else return null
    end = piece.end
  }
  return lines.length + 1 === widths.length ? [...lines, line] : null
}

function cutOff(label: string, room: Room, measure: Measure): Fitted {
  const pieces = piecesOf(label)
  for (let count = pieces.length - 1; count > 0; count--) {
    const kept = pieces.slice(0, count)
    const last = kept.at(-1) as Piece
    const fitted = largest(
      { ...room, sizeMax: sizeMin },
      kept.with(count - 1, { ...last, text: `${last.text}…` }),
      measure,
    )
    if (fitted !== null) return fitted
  }
  const [place = { radius: 0, widths: [] }] = room.fit(1, sizeMin) ?? []
  const letters = segmentsOf(label, 'grapheme')
  const width = place.widths[0] ?? 0
  while (letters.length > 0 && measure(`${letters.join('')}…`, sizeMin) > width) letters.pop()
  return {
    lines: letters.length === 0 ? [] : [`${letters.join('').trimEnd()}…`],
    size: sizeMin,
    radius: place.radius,
  }
}

/** Words between spaces. Scripts without spaces are split where words end. */
function wordsOf(label: string): Piece[] {
  return label
    .trim()
    .split(/\s+/)
    .flatMap((word) => {
      const parts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)
        ? segmentsOf(word, 'word')
        : [word.replaceAll('\u00ad', '')]
      return parts.map((text, index) => ({ text, joint: index === 0 ? ' ' : '', end: '' }))
    })
}

/** Also breaks inside long words. */
function piecesOf(label: string): Piece[] {
  const isSoft = label.includes('\u00ad')
  const words = isSoft
    ? label
        .trim()
        .split(/\s+/)
        .map((text) => ({ text, joint: ' ' }))
    : wordsOf(label)
  return words.flatMap(({ text, joint }) => {
    const parts = hyphenate(text)
    return parts.map((part, index) => ({
      text: part,
      joint: index === 0 ? joint : '',
      end: index === parts.length - 1 || part.endsWith('-') ? '' : '-',
    }))
  })
}

function segmentsOf(text: string, granularity: 'word' | 'grapheme'): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text), ({ segment }) => segment)
}
