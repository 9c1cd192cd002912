import { useQuery } from '@tanstack/react-query'
import { call } from '../api.ts'
import type { EmbedScript } from './snippet.ts'

/** The script of `<wheelhouse-game>`, as this server has it now. */
export function useEmbedScript() {
  return useQuery({
    queryKey: ['embed-script'],
    queryFn: ({ signal }) => call<EmbedScript>('/embed/v1.json', { signal }),
  })
}
