/**
 * Self-hosted fonts. One file holds all weights of a script. The browser loads only the files of scripts that the page
 * shows, and texts appear at once in a fallback of the same width (fonts.css).
 */
import type { FontName } from '../../../src/wheel-document/look-choices.ts'

const files = import.meta.glob<string>(
  [
    '../../../node_modules/@fontsource-variable/{manrope,quicksand,fredoka,oswald,domine,podkova}/files/*-{latin,latin-ext,cyrillic,greek,vietnamese}-wght-normal.woff2',
  ],
  { query: '?url', import: 'default', eager: true },
)

/** The characters in the file of each script. They are the same for every font of the packages. */
const ranges: Record<string, string> = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  cyrillic: 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116',
  greek: 'U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF',
  vietnamese:
    'U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF9,U+20AB',
}

const added = new Set<FontName>()

/** Starts to load the font for this text. Resolves with whether something has arrived, so that widths have changed. */
export async function loadFont(name: FontName, text: string): Promise<boolean> {
  if (name === 'system' || typeof FontFace === 'undefined') return false
  if (!added.has(name)) for (const face of facesOf(name)) document.fonts.add(face)
  added.add(name)
  const font = `700 1rem ${name}`
  if (document.fonts.check(font, text)) return false
  return document.fonts.load(font, text).then(
    (faces) => faces.length > 0,
    // Without a connection, the fallback stays.
    () => false,
  )
}

function facesOf(name: FontName): FontFace[] {
  return Object.entries(files).flatMap(([path, url]) => {
    const [, font, script = ''] = /\/(\w+)-([a-z-]+)-wght-normal\.woff2/.exec(path) ?? []
    if (font !== name) return []
    return [
      new FontFace(name, `url("${url}")`, {
        weight: '200 900',
        display: 'swap',
        unicodeRange: ranges[script] ?? '',
      }),
    ]
  })
}
