import { isSecretField } from '../prize-kinds/prize-kinds.ts'

/** The document without the codes and links that every winner gets. */
export function maskWheel<Document extends { segments: readonly { prize: object }[] }>(
  document: Document,
): Document {
  const segments = document.segments.map((segment) => ({ ...segment, prize: maskPrize(segment.prize) }))
  return { ...document, segments }
}

/** The prize without the fields that are enough to redeem it. */
export function maskPrize<Prize extends object>(prize: Prize): Prize {
  const shown = Object.entries(prize).map(([name, value]: [string, unknown]) => [
    name,
    isSecretField(name) && typeof value === 'string' ? maskCode(value) : value,
  ])
  return Object.fromEntries(shown) as Prize
}

/** The last two characters distinguish long codes; of short ones they make guessing easy. A link stays a link. */
export function maskCode(code: string): string {
  const scheme = code.startsWith('https://') ? 'https://' : ''
  return `${scheme}••••••${code.length < 8 ? '' : code.slice(-2)}`
}
