import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(import.meta.dirname, '..', 'node_modules', '@fontsource-variable')

/** The licence of each font among these files. It has to accompany every copy of the font. */
export function fontLicences(files: Iterable<string>): string {
  const fonts = [...files].flatMap(
    (file) => /([a-z]+)-[a-z-]+-wght-normal[^/]*\.woff2$/.exec(file)?.[1] ?? [],
  )
  return [...new Set(fonts)]
    .toSorted()
    .map((font) => readFileSync(join(packages, font, 'LICENSE'), 'utf8').trim())
    .join('\n\n==========\n\n')
}
