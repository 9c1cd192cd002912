import type { ParseArgsConfig } from 'node:util'
import { type ClientOptions, Wheelhouse } from '../client.ts'
import type { Retry } from '../send.ts'
import { note } from './output.ts'

/** Wrong arguments. Shown with the usage of the command. */
export class UsageError extends Error {}

export type Options = Record<string, string | boolean | undefined>

export type Command = {
  usage: string
  summary: string
  /** More about it, for its `--help`. */
  details?: string
  options: NonNullable<ParseArgsConfig['options']>
  /** The exit code; 0 if there is none. */
  run: (input: { names: string[]; options: Options }) => Promise<number | void>
}

export const jsonOption = { json: { type: 'boolean' } } as const
export const serverOption = { server: { type: 'string' } } as const

/** The token comes from the environment only: everybody on the machine can see the arguments of a process. */
export function connect(options: Options, patience: Partial<ClientOptions> = {}): Wheelhouse {
  const url = options.server ?? process.env.WHEELHOUSE_URL
  const token = process.env.WHEELHOUSE_TOKEN
  if (typeof url !== 'string' || !URL.canParse(url))
    throw new UsageError('Say where Wheelhouse is: --server https://wheel.example, or WHEELHOUSE_URL.')
  if (token === undefined || token === '') throw new UsageError('Put a service token into WHEELHOUSE_TOKEN.')
  return new Wheelhouse({ url, token, onRetry: noteFirst, ...patience })
}

function noteFirst({ error, attempts }: Retry): void {
  if (attempts === 1) note(`${error.message}. Trying again.`)
}

export function wholeNumber(text: unknown, name: string): number {
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`${name} is not a whole number.`)
}

/** Aborted by Ctrl-C, and when the process is asked to stop. */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}
