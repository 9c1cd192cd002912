/** Notifications in the corner, for success and for problems. */
import { notifications } from '@mantine/notifications'
import { Problem } from '../api.ts'
import { t } from '../texts.ts'
import { messageOf } from './problem-words.ts'

export function tellDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000 })
}

export function tellProblem(error: unknown): void {
  const message = messageOf(error)
  const id = error instanceof Problem ? error.requestId : null
  notifications.show({
    title: t('state.failed'),
    message: id === null ? message : `${message} (${id})`,
    color: 'red',
    autoClose: 10_000,
  })
}
