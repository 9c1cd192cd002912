/** Something that belongs to a merchant: how far its clock is ahead. Null or missing for a live merchant. */
export type Clocked = { clockAheadMs?: number | null | undefined }

/** The time of a merchant. Only a test merchant has a clock of its own; for others it is the real time. */
export function timeOf({ clockAheadMs }: Clocked, realTime: Date): Date {
  return isTest({ clockAheadMs }) ? new Date(realTime.getTime() + Number(clockAheadMs)) : realTime
}

/** The same in a statement that joins `merchants`: its real time is the parameter `realTime`, such as `$1`. */
export function merchantTime(realTime: string): string {
  return `${realTime}::timestamptz + coalesce(clock_ahead_ms, 0) * interval '1 millisecond'`
}

export function isTest({ clockAheadMs }: Clocked): boolean {
  return clockAheadMs !== null && clockAheadMs !== undefined
}

/** The ids of test merchants begin with it, and those of others can't. */
export const testPrefix = 'test-'
