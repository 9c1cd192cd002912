import { useMemo } from 'react'
import { navigate, useSearch } from 'wouter/use-browser-location'

/** The fields of the address. The router's own hook decodes them twice, so that `a%2Fb` would become `a/b`. */
export function useSearchParams() {
  const search = useSearch()
  return [useMemo(() => new URLSearchParams(search), [search]), setSearchParams] as const
}

function setSearchParams(
  change: (now: URLSearchParams) => URLSearchParams,
  options?: { replace: boolean },
): void {
  const text = change(new URLSearchParams(location.search)).toString()
  navigate(text === '' ? location.pathname : `${location.pathname}?${text}`, options)
}
