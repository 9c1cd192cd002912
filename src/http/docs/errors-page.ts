import { type RefusalCode, refusals, refusalText } from '../../refusals.ts'
import { wrapLines } from '../../wrap-lines.ts'

/** All error codes with cause and fix, as a page at `/docs/errors` and as the file `docs/errors.md`. */
export function errorsHtml(): string {
  const sections = errorRows().map(
    ({ code, status, title, cause, cure, retryable }) => `
<section id="${code}">
<h2><code>${code}</code> <small>${status}${retryable ? ', retryable' : ''}</small></h2>
<p><strong>${html(title)}.</strong> ${html(cause)}</p>
<p>${html(cure)}</p>
</section>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wheelhouse: errors</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 1rem; color-scheme: light dark }
section:target { outline: 2px solid; outline-offset: .5rem }
h2 { margin-bottom: 0; font-size: 1.1rem }
p { margin: .25rem 0 }
</style>
<h1>Errors</h1>
<p>Every refusal is a problem document (RFC 9457). Branch on its <code>code</code>. A request that got a retryable one may succeed later, unchanged.
<a href="/docs">API reference</a></p>
${sections.join('')}
</html>
`
}

export function errorsMarkdown(): string {
  const entries = errorRows().map(({ code, status, title, cause, cure, retryable }) => {
    const facts = retryable ? `${status}, retryable` : String(status)
    return wrapLines(`- \`${code}\` (${facts}): ${title}. ${cause} **Fix:** ${cure}`, 118).join('\n  ')
  })
  const introduction = wrapLines(
    'Every refusal is a problem document (RFC 9457, `application/problem+json`) with a stable `code`. A request that got ' +
      'a retryable one may succeed later, unchanged. `npm run docs` generates this list from `src/refusals.ts`, and a ' +
      'test checks that the two match.',
    118,
  )
  return `# Errors

${introduction.join('\n')}

${entries.join('\n')}
`
}

function errorRows() {
  return (Object.keys(refusals) as RefusalCode[]).map((code) => ({ code, ...refusalText(code) }))
}

function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]*)`/g, '<code>$1</code>')
}
