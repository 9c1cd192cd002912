/**
 * The lines of a text, as they are asked for. node:readline reads ahead whatever its reader does: with a million lines it
 * kept the event loop busy for seconds, and a database statement that was half sent ran into its time limit.
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
