/** Nobody gets marketing at night: from this hour, to that of the next morning, where the player is. */
const quietFrom = 21
const quietTo = 8

/** The end of the night, if it is night in this time zone; undefined by day. */
export function endOfNight(now: Date, timeZone: string): Date | undefined {
  const parts = new Intl.DateTimeFormat('en', {
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
    timeZone,
  })
  const [hour = 0, minute = 0] = parts
    .formatToParts(now)
    .filter(({ type }) => type === 'hour' || type === 'minute')
    .map(({ value }) => Number(value))
  if (hour >= quietTo && hour < quietFrom) return undefined
  // In a night in which the clock is changed this is an hour early: the mail is looked at once more then.
  const minutes = ((quietTo - hour + 24) % 24) * 60 - minute
  return new Date(now.getTime() + minutes * 60_000)
}
