import type { ReactNode } from 'react'
import { t } from '../texts.ts'
import { isEmoji } from './emoji.ts'
import { TextInput } from './inputs.tsx'
import { useTypedText } from './typed-text.ts'

/** A single emoji, or empty. */
export function EmojiField(props: {
  label: string
  value: string
  error?: ReactNode
  onChange: (emoji: string) => void
}) {
  const typed = useTypedText({
    value: props.value,
    show: (emoji) => emoji,
    read: (text) => {
      const emoji = text.trim()
      return emoji === '' || isEmoji(emoji) ? { value: emoji } : { problem: t('emoji.wrong') }
    },
    onChange: props.onChange,
  })
  return (
    <TextInput
      label={props.label}
      placeholder="🎁"
      value={typed.text}
      error={typed.problem ?? props.error}
      onChange={(event) => typed.type(event.currentTarget.value)}
      onBlur={typed.leave}
    />
  )
}
