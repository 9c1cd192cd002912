import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { WheelDocument } from '../../../../src/wheel-document/wheel-document.ts'
import { templateOf } from './from-template.ts'
import { loadPhrases, type Phrases } from './phrases.ts'

/** The phrases of the templates. Undefined while they are loading. */
export function usePhrases({ enabled = true } = {}): Record<string, Phrases> | undefined {
  return useQuery({ queryKey: ['templates'], queryFn: loadPhrases, staleTime: Infinity, enabled }).data
}

/** The wheel as its template made it. Undefined for one that comes from no template. */
export function useTemplateOf(
  { segments, language = 'en' }: WheelDocument,
  { enabled }: { enabled: boolean },
): WheelDocument | undefined {
  const phrases = usePhrases({ enabled })
  // As text, so that the templates are not made again at every key that is typed.
  const ids = segments.map(({ id }) => id).join()
  return useMemo(
    () =>
      enabled && phrases !== undefined
        ? templateOf(new Set(ids.split(',')), { language, phrases })
        : undefined,
    [enabled, phrases, ids, language],
  )
}
