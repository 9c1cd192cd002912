/** The text of a file; undefined if it is no text, such as an Excel workbook, whose first bytes contain a zero. */
export function textOfFile(bytes: Uint8Array): string | undefined {
  return bytes.subarray(0, 4096).includes(0) ? undefined : new TextDecoder().decode(bytes)
}
