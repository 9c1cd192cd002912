import { useDebouncedValue } from '@mantine/hooks'
import { useSearchParams } from './search-params.ts'

/** Fields kept in the address, so that a reload, the back button and a shared link show the same list. */
export function useSearchFields<Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams()
  // As text, which is the same value in every render.
  const [settled] = useDebouncedValue(params.toString(), 300)
  const set = (name: Name, value: string) =>
    setParams(
      (now) => {
        if (value === '') now.delete(name)
        else now.set(name, value)
        return now
      },
      { replace: true },
    )
  const read = (from: URLSearchParams) =>
    Object.fromEntries(names.map((name) => [name, from.get(name) ?? ''])) as Record<Name, string>
  return {
    /** As typed. */
    fields: read(params),
    /** As they were when the typing last paused. */
    settled: read(new URLSearchParams(settled)),
    set,
  }
}

/** The start of a day in the person's time zone, or of the day `daysLater` days later. */
function momentOf(day: string, daysLater: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  return new Date(year, month - 1, date + daysLater).toISOString()
}

/** Two days as a range of moments, for a query. */
export function rangeOf({ from, to }: { from: string; to: string }) {
  return { from: momentOf(from, 0), to: momentOf(to, 1) }
}
