/**
 * The text of a file in UTF-8. Undefined if it is no text, such as an Excel workbook, whose first bytes contain a zero,
 * or has another encoding: a guess could turn two codes into one.
 */
export function textOfFile(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, 4096).includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
