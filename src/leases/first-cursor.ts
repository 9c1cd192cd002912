import type { Logger } from 'pino'

/** The position to read from. Retention waits for readers, but not for ever: deleted events can't be read. */
export function firstCursor(
  position: Readonly<Record<string, number>> & { cursorSeq: number; firstKeptSeq: number },
  log: Logger,
): number {
  const { cursorSeq, firstKeptSeq } = position
  if (cursorSeq >= firstKeptSeq - 1) return cursorSeq
  log.error(position, 'events expired before they were sent')
  return firstKeptSeq - 1
}
