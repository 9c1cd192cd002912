type Coded = { segments: readonly { prize: { code?: string; url?: string } }[] }

/** The document without what a winner gets: codes and links that are the same for everybody. */
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

/** The last two characters tell long codes apart; short ones would be guessed with their help. */
export function maskCode<Code extends string | null>(code: Code): Code {
  if (code === null) return code
  return `••••••${code.length < 8 ? '' : code.slice(-2)}` as Code
}
