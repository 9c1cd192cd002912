/** A month of the calendar. Months count from 1. */
export type Month = { year: number; month: number }

/** Whether somebody born in a month is old enough. The day is not asked, so the month of the birthday is too young. */
export function isOldEnough(born: Month, minimumAge: number, today: Month): boolean {
  return (today.year - born.year) * 12 + today.month - born.month > minimumAge * 12
}
