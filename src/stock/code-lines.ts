import { codesPerUploadMax, codeStreamBytesMax } from '../limits.ts'
import { linesOf } from '../lines.ts'
import { Refusal } from '../refusals.ts'

/** The codes of a file, in batches, as they arrive. */
export async function* codesIn(
  body: AsyncIterable<Buffer>,
  format: { isJson: boolean; skipsFirst: boolean },
): AsyncGenerator<string[]> {
  let batch: string[] = []
  let lineNo = 0
  const noCode = (place: number) =>
    new Refusal('validation_failed', {
      detail: `Line ${place} is no code: 1 to 200 characters, and no control characters. Of the lines before it some may be added.`,
      errors: [{ pointer: `/${place}`, detail: 'is not a code' }],
    })
  const checks = { lengthMax: lineLengthMax, tooLong: () => noCode(lineNo + 1), notUtf8 }
  for await (const line of linesOf(bounded(body), checks)) {
    lineNo++
    if (lineNo === 1 && format.skipsFirst) continue
    if (line.trim() === '') continue
    const code = format.isJson ? codeInJson(line) : firstColumn(line)
    if (code === undefined || code === '' || code.length > 200 || /[\p{Cc}\p{Cs}]/u.test(code))
      throw noCode(lineNo)
    batch.push(code)
    if (batch.length < codesPerUploadMax) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const notUtf8 = () =>
  new Refusal('body_malformed', { detail: 'The file is not UTF-8. Of its lines some may be added.' })

/** Without this limit, an endless line would be searched for its end again and again. */
const lineLengthMax = 10_000

/** The framework's own limit applies only to bodies that it reads itself. */
async function* bounded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > codeStreamBytesMax) throw new Refusal('body_too_large')
    yield chunk
  }
}

function codeInJson(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'string') return value.trim()
    const code: unknown = (value as { code?: unknown } | null)?.code
    return typeof code === 'string' ? code.trim() : undefined
  } catch {
    return undefined
  }
}

/** The first column of a CSV line. A quoted column may contain commas and doubled quotes. */
function firstColumn(line: string): string {
  const quoted = /^\uFEFF?\s*"((?:[^"]|"")*)"\s*(?:[,;\t]|$)/.exec(line)
  return (
    quoted?.[1]?.replaceAll('""', '"') ??
    line.replace(/^\uFEFF/, '').split(/[,;\t]/, 1)[0] ??
    ''
  ).trim()
}
