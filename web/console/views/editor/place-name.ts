import { hasText, t } from '../../texts.ts'

/** The place of a difference, with the editor's field names: `Cake · stock` becomes `Cake · Total stock`. */
export function placeName(where: string): string {
  return where
    .split(' · ')
    .map((part) => {
      const field = part.replace(/^(look|texts)\./, '')
      return hasText(`field.${field}`) ? t(`field.${field}` as 'field.label') : field
    })
    .join(' · ')
}
