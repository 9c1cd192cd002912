import type { WheelDocument } from '../wheel-document/wheel-document.ts'

/**
 * What players may read as the name of a campaign: a name that was written for them, else the title of the wheel. The
 * name in the console is for colleagues. Empty if there is none.
 */
export function nameForPlayers(
  campaignTexts: Record<string, { name?: string }>,
  { texts = {}, language, look }: Pick<WheelDocument, 'texts' | 'language' | 'look'>,
): string {
  const titles = [texts[language ?? ''], ...Object.values(texts)].map((one) => one?.title)
  const names = Object.values(campaignTexts).map(({ name }) => name)
  return [...names, ...titles, look?.merchantName].find((one) => one !== undefined && one !== '') ?? ''
}
