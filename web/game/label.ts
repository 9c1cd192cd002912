/** Fits a label of any length and script into its place on the wheel. Pure: how wide a text is, is asked for. */
type Place = { width: number; height: number; size: number }
type Fitted = { lines: string[]; size: number }
type Fits = (text: string) => boolean

const lineHeight = 1.12
const sizeSteps = [1, 0.9, 0.8, 0.7]

/** As large as it fits, on as many lines as there is room for; what is too long even when small ends in an ellipsis. */
export function fitLabel(
  label: string,
  place: Place,
  measure: (text: string, size: number) => number,
): Fitted {
  let fitted: Fitted = { lines: [], size: 0 }
  for (const step of sizeSteps) {
    const size = place.size * step
    const fits: Fits = (text) => measure(text, size) <= place.width
    const lines = breakLines(label, fits)
    const linesMax = Math.max(1, Math.floor(place.height / (size * lineHeight)))
    if (lines.length <= linesMax && lines.every(fits)) return { lines, size }
    const kept = [...lines.slice(0, linesMax - 1), lines.slice(linesMax - 1).join(' ')]
    fitted = { lines: kept.map((line) => cutOff(line, fits)), size }
  }
  return fitted
}

/** How far a line is from the middle of all lines. */
export function lineOffset(line: { index: number; count: number; size: number }): number {
  return (line.index - (line.count - 1) / 2) * line.size * lineHeight
}

function breakLines(text: string, fits: Fits): string[] {
  const lines = ['']
  for (const piece of pieces(text, fits)) {
    const longer = `${lines.at(-1)}${piece}`
    if (lines.at(-1) === '' || fits(longer.trim())) lines[lines.length - 1] = longer
    else lines.push(piece)
  }
  return lines.map((line) => line.trim())
}

/** Breaks at spaces; only within what is too wide for a line, at the words that a script without spaces has. */
function pieces(text: string, fits: Fits): string[] {
  return text.split(/(?<= )/).flatMap((piece) => (fits(piece.trim()) ? [piece] : segments(piece, 'word')))
}

function cutOff(text: string, fits: Fits): string {
  if (fits(text)) return text
  const letters = segments(text, 'grapheme')
  while (letters.length > 1 && !fits(`${letters.join('').trimEnd()}…`)) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

function segments(text: string, granularity: 'word' | 'grapheme'): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text), ({ segment }) => segment)
}
