type LineChecks = { lengthMax?: number; tooLong?: () => Error; notUtf8?: () => Error }

/**
 * The lines of a text, one by one as they are requested. node:readline reads ahead without limit: with a million lines
 * it blocked the event loop for seconds, and a half-sent database statement timed out.
 */
export async function* linesOf(
  input: AsyncIterable<Buffer | string>,
  { lengthMax = Infinity, tooLong, notUtf8 }: LineChecks = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: notUtf8 !== undefined })
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (error) {
      throw notUtf8?.() ?? error
    }
  }
  let rest = ''
  for await (const chunk of input) {
    const text = rest + (typeof chunk === 'string' ? chunk : decode(chunk))
    const lines = text.split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (tooLong !== undefined && rest.length > lengthMax) throw tooLong()
    yield* lines
  }
  rest += decode()
  if (rest !== '') yield rest
}
