import { wrapLines } from '../wrap-lines.ts'
import { type AnySetting, listSettings } from './settings.ts'

/** `.env.example`: every setting with its default or an example, commented out. */
export function envExample(): string {
  const introduction = comment(
    'Every setting. Copy this file to .env and uncomment what you change; the environment wins over the file. ' +
      'The server checks all settings when it starts and reports all mistakes at once. ' +
      'This file is made from src/settings/settings.ts by `npm run docs`.',
  )
  const entries = listSettings().map(
    (setting) => `${comment(setting.help)}\n#${setting.name}=${shown(setting)}`,
  )
  return `${[introduction, ...entries].join('\n\n')}\n`
}

/** `docs/settings.md`. */
export function settingsMarkdown(): string {
  const entries = listSettings().map((setting) => {
    const value = shown(setting)
    const about = isDefault(setting) ? 'default' : 'for example'
    const head = value === '' ? `\`${setting.name}\`` : `\`${setting.name}\` (${about} \`${value}\`)`
    return wrapLines(`- ${head}: ${setting.help}`, 118).join('\n  ')
  })
  const introduction = wrapLines(
    'Settings come from the environment, or from a file `.env` in the working folder; the environment wins. The server ' +
      'checks all of them when it starts, reports all mistakes at once, and warns about names that are probably misspelt. This page and ' +
      '[.env.example](../.env.example) are made from `src/settings/settings.ts` by `npm run docs`.',
    118,
  )
  return `# Settings

${introduction.join('\n')}

${entries.join('\n')}
`
}

function isDefault({ example }: AnySetting): boolean {
  return example === undefined
}

function shown({ fallback, fallbackText, example }: AnySetting): string {
  const text = example ?? fallbackText
  if (text !== undefined) return text
  return typeof fallback === 'boolean' ? (fallback ? 'on' : 'off') : String(fallback)
}

function comment(text: string): string {
  return wrapLines(text, 118)
    .map((line) => `# ${line}`)
    .join('\n')
}
