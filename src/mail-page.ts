import { escapeHtml } from './escape-html.ts'

/**
 * A mail as HTML: tables and inline styles, because mail programs know little else. `parts` are HTML. It is complete
 * without pictures, and follows the reader's dark mode.
 */
export function mailPage(page: {
  language: string
  direction: string
  title: string
  parts: readonly string[]
}): string {
  const { language, direction, title, parts } = page
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){.page{background:#16181d!important}.card{background:#22252d!important;color:#f2f3f5!important}
.dim{color:#b4b9c4!important}.button{background:#9db7ff!important;color:#10131a!important}}</style></head>
<body class="page" style="margin:0;padding:16px;background:#eef0f4;font-family:system-ui,-apple-system,'Segoe UI',Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;color:#1b1e25;border-radius:12px">
<tr><td style="padding:24px;overflow-wrap:anywhere;word-break:break-word" dir="${direction}">
${parts.join('\n')}
</td></tr></table></td></tr></table></body></html>
`
}

/** A text with its lines, to put into HTML. */
export function linesInHtml(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>')
}
