import { type RefusalCode, refusals, refusalText } from '../../refusals.ts'
import { wrapLines } from '../../wrap-lines.ts'
import { docsPage, html } from './docs-page.ts'

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
  const introduction = `<h1>Errors</h1>
<p>Every refusal is a problem document (RFC 9457). Branch on its <code>code</code>. A request that got a retryable one may succeed later, unchanged.</p>`
  return docsPage({ title: 'errors', body: `${introduction}${sections.join('')}` })
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
