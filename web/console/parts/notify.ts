/** Notifications in the corner, for success and for problems. */
import { notifications } from '@mantine/notifications'
import { Problem } from '../api.ts'
import { t } from '../texts.ts'
import { messageOf } from './problem-words.ts'

export function tellDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000 })
}

/** What a person has to do first. */
export function tellFirst(message: string): void {
  notifications.show({ message, color: 'red', autoClose: 6_000 })
}

/** A chosen file that can't be used. Its message says why. */
export class UnusableFile extends Error {}

/** A refusal is a rule that worked: its own sentence says it all. */
export function tellProblem(error: unknown): void {
  const message = messageOf(error)
  const isRefusal = error instanceof UnusableFile || (error instanceof Problem && error.isRefusal)
  const id = error instanceof Problem && !isRefusal ? error.requestId : null
  notifications.show({
    title: isRefusal ? undefined : t('state.failed'),
    message: id === null ? message : `${message} (${id})`,
    color: 'red',
    autoClose: 10_000,
  })
}
