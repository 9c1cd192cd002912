type Coded = { segments: readonly { prize: { code?: string; url?: string } }[] }

/** The document without the codes and links that every winner gets. */
export function maskWheel<Document extends Coded>(document: Document): Document {
  const segments = document.segments.map((segment) => {
    const { code, url } = segment.prize
    if (code === undefined && url === undefined) return segment
    return {
      ...segment,
      prize: {
        ...segment.prize,
        ...(code === undefined ? {} : { code: maskCode(code) }),
        ...(url === undefined ? {} : { url: maskCode(url) }),
      },
    }
  })
  return { ...document, segments }
}

/** The last two characters distinguish long codes; for short ones they would make guessing easy. */
export function maskCode<Code extends string | null>(code: Code): Code {
  if (code === null) return code
  return `••••••${code.length < 8 ? '' : code.slice(-2)}` as Code
}
