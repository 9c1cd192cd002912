import { nameInMail } from '../staff/staff-mails.ts'
import { escaped, filled, knownLanguage } from './render-message.ts'
import { spinWords } from './spin-words.ts'

export const unsubscribeStyle = `:root{color-scheme:light dark}
body{margin:0 auto;padding:15vh 24px;max-width:26rem;font:1.125rem/1.5 system-ui,sans-serif;text-align:center}
button{font:inherit;font-weight:bold;padding:14px 28px;border:0;border-radius:8px;background:#2347b8;color:#fff}`

/** The page behind the link in a message: a button that a person must press, or what has become of it. */
export function unsubscribePage(of: { merchant: string; language: string | null; isDone: boolean }): string {
  const language = knownLanguage(of.language)
  const words = spinWords[language]
  const text = filled(of.isDone ? words.done : words.question, { merchant: nameInMail(of.merchant) })
  const form = `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${escaped(words.unsubscribe)}</button></form>`
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(words.unsubscribe)}</title><style>${unsubscribeStyle}</style></head>
<body><main><p>${escaped(text)}</p>${of.isDone ? '' : form}</main></body></html>
`
}
