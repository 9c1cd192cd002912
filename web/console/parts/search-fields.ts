import { useDebouncedValue } from '@mantine/hooks'
import { zoneOfView } from '../texts.ts'
import { useSearchParams } from './search-params.ts'
import { dayStart, daysAfter } from './zoned-time.ts'

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

/** Two days of the merchant's time zone as a range of moments, for a query. */
export function rangeOf({ from, to }: { from: string; to: string }) {
  const zone = zoneOfView()
  return {
    from: dayStart(from, zone)?.toISOString(),
    to: dayStart(daysAfter(to, 1), zone)?.toISOString(),
  }
}
