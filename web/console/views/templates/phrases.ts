import { useQuery } from '@tanstack/react-query'
import type english from '../../../../src/languages/en/wheel-templates.json'

export type Phrase = keyof typeof english
export type Phrases = Record<Phrase, string>

/** Each folder is a language. */
const files = import.meta.glob<{ default: Phrases }>('../../../../src/languages/*/wheel-templates.json')

/** The phrases of the templates by language tag. Undefined while they are loading. */
export function usePhrases(): Record<string, Phrases> | undefined {
  return useQuery({ queryKey: ['templates'], queryFn: loadPhrases, staleTime: Infinity }).data
}

async function loadPhrases(): Promise<Record<string, Phrases>> {
  const loaded = Object.entries(files).map(async ([path, load]) => {
    const tag = path.split('/').at(-2) as string
    return [tag, (await load()).default] as const
  })
  return Object.fromEntries(await Promise.all(loaded))
}
