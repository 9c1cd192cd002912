import { hasText, t } from '../../texts.ts'

/** Why a message was not sent, or an address is not mailed. */
export function reasonText(reason: string): string {
  const key = `messages.reason.${reason}`
  return hasText(key) ? t(key) : reason
}
