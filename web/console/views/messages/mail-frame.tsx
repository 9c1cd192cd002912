import { useEffect, useRef } from 'react'

type MailScheme = 'light' | 'dark'

/** A mail as a mail program shows it on a phone. Its links lead nowhere. */
export function MailFrame({ html, scheme, title }: { html: string; scheme: MailScheme; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const shown = inScheme(html, scheme)
  useEffect(() => {
    const send = () => frame.current?.contentWindow?.postMessage({ html: shown }, '*')
    // The page in the frame says when it can show something.
    const onMessage = ({ source, data }: MessageEvent) =>
      source === frame.current?.contentWindow && data?.type === 'mail-frame' && send()
    addEventListener('message', onMessage)
    send()
    return () => removeEventListener('message', onMessage)
  }, [shown])
  return (
    <iframe
      ref={frame}
      className="mail-frame"
      src="/console/mail-frame"
      title={title}
      sandbox="allow-scripts"
      data-scheme={scheme}
    />
  )
}

/** The person who looks may prefer another scheme than the one to be shown. */
function inScheme(html: string, scheme: MailScheme): string {
  return html
    .replaceAll('(prefers-color-scheme:dark)', scheme === 'dark' ? 'all' : 'not all')
    .replaceAll('color-scheme:light dark', `color-scheme:${scheme}`)
    .replace('<head>', '<head><base target="_blank">')
}
