import { Type } from 'typebox'
import { slugPattern } from '../slug.ts'
import { languagePattern, linesPattern } from '../text-patterns.ts'

/** The texts that outdated translations were made from. translated-from.ts has the rules. */
export const TranslatedFrom = Type.Array(
  Type.Object(
    {
      language: Type.String({ pattern: languagePattern }),
      segment: Type.Optional(
        Type.String({ pattern: slugPattern, description: 'Missing for a text of the wheel.' }),
      ),
      field: Type.Enum(['label', 'title', 'instructions', 'subtitle', 'button', 'won', 'noLuck']),
      text: Type.String({
        maxLength: 500,
        pattern: linesPattern,
        description: 'The text that the translation was made from; empty if it is not known.',
      }),
    },
    { title: 'TranslatedFrom', additionalProperties: false },
  ),
  {
    description:
      'The outdated translations: their text has changed since they were made. The server keeps this list, also if a save leaves it out. An entry with the text of today confirms a translation. Not published.',
  },
)
