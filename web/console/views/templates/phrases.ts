import { useQuery } from '@tanstack/react-query'
import type english from './phrases/en.json'

export type Phrase = keyof typeof english
export type Phrases = Record<Phrase, string>

/** Each file in the folder is a language. They are the languages of the game page. */
const files = import.meta.glob<{ default: Phrases }>('./phrases/*.json')

/** The phrases of the templates by language tag. Undefined while they are loading. */
export function usePhrases(): Record<string, Phrases> | undefined {
  return useQuery({ queryKey: ['templates'], queryFn: loadPhrases, staleTime: Infinity }).data
}

async function loadPhrases(): Promise<Record<string, Phrases>> {
  const loaded = Object.entries(files).map(async ([path, load]) => {
    const tag = path.slice('./phrases/'.length, -'.json'.length)
    return [tag, (await load()).default] as const
  })
  return Object.fromEntries(await Promise.all(loaded))
}
