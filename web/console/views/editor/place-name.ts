import { hasText, t } from '../../texts.ts'

/** The place of a difference in the words of the editor: `Cake · stock` becomes `Cake · Stock in all`. */
export function placeName(where: string): string {
  return where
    .split(' · ')
    .map((part) => {
      const field = part.replace(/^(look|texts)\./, '')
      return hasText(`field.${field}`) ? t(`field.${field}` as 'field.label') : field
    })
    .join(' · ')
}
