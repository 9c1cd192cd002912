/**
 * Any text as one part of a path of the console. The router decodes a path once before it looks at its parts, so the
 * text is encoded twice. Browsers would walk up at two dots.
 */
export function toPathPart(text: string): string {
  const once = encodeURIComponent(text)
  return encodeURIComponent(/^\.+$/.test(once) ? once.replaceAll('.', '%2E') : once)
}

/** The text of such a part. One that was typed by hand may be encoded once only. */
export function fromPathPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
