/** The HTML that embeds the game in a merchant's page. */
export const modes = ['inline', 'dialog', 'corner'] as const
export const triggers = ['load', 'delay', 'scroll', 'exit', 'click', 'none'] as const

export type Choice = {
  mode: (typeof modes)[number]
  trigger: (typeof triggers)[number]
  seconds: number
  percent: number
  selector: string
  label: string
}

/** As `/embed/v1.json` describes it. */
export type EmbedScript = { script: string; integrity: string }

/** The attributes that differ from their defaults. */
export function attributesOf({ mode, label, ...choice }: Choice): Record<string, string> {
  const trigger = triggerText(choice)
  return {
    ...(mode === 'inline' ? {} : { mode }),
    ...(trigger === 'load' ? {} : { trigger }),
    ...(label.trim() === '' ? {} : { label: label.trim() }),
  }
}

/** For a page that is made for one player. */
export function snippetOf(found: EmbedScript, choice: Choice): string {
  const server = found.script.replace(/\/embed\/.*$/, '')
  return elementWith(found, { link: `${server}/spinthewheel/?token=…`, ...attributesOf(choice) })
}

/** For visitors, who all get the same page. */
export function entrySnippetOf(found: EmbedScript, address: string): string {
  return elementWith(found, { entry: address })
}

function elementWith({ script, integrity }: EmbedScript, attributes: Record<string, string>): string {
  const lines = Object.entries(attributes).map(([name, value]) => `  ${name}="${escaped(value)}"`)
  return `<script async src="${script}"
  integrity="${integrity}"
  crossorigin="anonymous"></script>

<wheelhouse-game
${lines.join('\n')}
></wheelhouse-game>`
}

function triggerText({ trigger, seconds, percent, selector }: Omit<Choice, 'mode' | 'label'>): string {
  if (trigger === 'delay') return `delay ${seconds}`
  if (trigger === 'scroll') return `scroll ${percent}`
  return trigger === 'click' ? `click ${selector.trim()}` : trigger
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
