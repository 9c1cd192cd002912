/**
 * The lines of a text, one by one as they are requested. node:readline reads ahead without limit: with a million lines it
 * blocked the event loop for seconds, and a half-sent database statement timed out.
 */
export async function* linesOf(
  input: AsyncIterable<Buffer | string>,
  onTooLong?: { lengthMax: number; refuse: () => Error },
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of input) {
    const text = rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
    const lines = text.split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (onTooLong !== undefined && rest.length > onTooLong.lengthMax) throw onTooLong.refuse()
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
