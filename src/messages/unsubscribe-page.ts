import { escapeHtml } from '../escape-html.ts'
import { filled, mailWords } from '../languages/mail-words.ts'
import { nameInMail } from '../staff/staff-mails.ts'

export const unsubscribeStyle = `:root{color-scheme:light dark}
body{margin:0 auto;padding:15vh 24px;max-width:26rem;font:1.125rem/1.5 system-ui,sans-serif;text-align:center}
button{font:inherit;font-weight:bold;padding:14px 28px;border:0;border-radius:8px;background:#2347b8;color:#fff}`

/** The page behind the link in a message: a button that a person must press, or what has become of it. */
export function unsubscribePage(of: { merchant: string; language: string | null; isDone: boolean }): string {
  const { language, direction, words } = mailWords(of.language)
  const { action, question, done } = words.unsubscribe
  const text = filled(of.isDone ? done : question, { merchant: nameInMail(of.merchant) })
  const form = `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${escapeHtml(action)}</button></form>`
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(action)}</title><style>${unsubscribeStyle}</style></head>
<body><main><p>${escapeHtml(text)}</p>${of.isDone ? '' : form}</main></body></html>
`
}
