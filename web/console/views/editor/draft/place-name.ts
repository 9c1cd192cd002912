import { hasText, t } from '../../../texts.ts'

/** The place of a difference, with the editor's field names: `Cake · stock` becomes `Cake · Total stock`. */
export function placeName(where: string): string {
  return where
    .split(' · ')
    .map((part) => {
      const [area, tag, text] = part.split('.')
      if (area === 'texts' && text !== undefined && hasText(`texts.${text}`))
        return `${t(`texts.${text}` as 'texts.title')} (${tag})`
      const field = part.replace(/^look\./, '')
      return hasText(`field.${field}`) ? t(`field.${field}` as 'field.label') : field
    })
    .join(' · ')
}
