import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { WheelDocument } from '../../../../src/wheels/wheel-document.ts'
import { templateOf } from './from-template.ts'
import { loadPhrases } from './phrases.ts'

/** The wheel as its template made it. Undefined for one that comes from no template. */
export function useTemplateOf(
  wheel: WheelDocument,
  { enabled }: { enabled: boolean },
): WheelDocument | undefined {
  const phrases = useQuery({
    queryKey: ['templates'],
    queryFn: loadPhrases,
    staleTime: Infinity,
    enabled,
  }).data
  return useMemo(
    () => (enabled && phrases !== undefined ? templateOf(wheel, phrases) : undefined),
    [enabled, phrases, wheel],
  )
}
