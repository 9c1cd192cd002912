/** The frame of the pages under `/docs` that we write ourselves. */
export function docsPage({ title, body }: { title: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wheelhouse: ${html(title)}</title>
<style>
:root { color-scheme: light dark; background: light-dark(#fff, #14171f); color: light-dark(#16181d, #e6e8ee) }
a { color: light-dark(#4d38b5, #b9adff) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 1rem }
section:target, h2:target { outline: 2px solid; outline-offset: .5rem }
h2 { margin-bottom: 0; font-size: 1.1rem }
h3 { margin: 1rem 0 0; font-size: 1rem }
p { margin: .25rem 0 }
ul, ol { padding-left: 1.25rem }
code { overflow-wrap: anywhere }
pre { overflow-x: auto; padding: .75rem; border-radius: .5rem; background: light-dark(#f1f2f6, #1e222d) }
pre code { overflow-wrap: normal; font-size: .875rem }
.table { overflow-x: auto }
table { border-collapse: collapse; margin: .5rem 0 }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid light-dark(#d9dbe3, #343a49) }
img { max-width: 100%; height: auto }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
</style>
<nav aria-label="Documentation"><a href="/docs">API reference</a><a href="/docs/guides">Guides</a><a href="/docs/errors">Errors</a><a href="/docs/versions">API versions</a><a href="/docs/changelog">Changelog</a></nav>
<main>
${body}
</main>
</html>
`
}

/** Text with code in backticks. */
export function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]*)`/g, '<code>$1</code>')
}
