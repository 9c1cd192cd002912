/** Engines are slow on busy machines. */
const waitMsMax = 180_000
const lookEveryMs = 50

/** Waits until `look` finds something, and returns it. */
export async function untilTrue<T>(
  look: () => Promise<T | false>,
  expected: () => Promise<string>,
): Promise<T> {
  const deadline = performance.now() + waitMsMax
  for (;;) {
    const found = await look()
    if (found !== false) return found
    if (performance.now() > deadline) throw new Error(`waited for ${await expected()}`)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}
