// A program in Python or PHP that makes the calls of a test with the client for its language.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findPython, missingPackages } from '../../../scripts/languages.ts'
import { defer, type Lifetime, repository } from '../../scenes/scene.ts'

export type Language = {
  name: string
  /** Why its tests are skipped, or false. */
  skip: string | false
  command: string
  args: string[]
  env: Record<string, string>
  /** How the language writes the name of a function or parameter, such as `spinNumber`. */
  spelling: (name: string) => string
}

const here = import.meta.dirname
const packages = join(repository, 'packages')
const asIs = (name: string) => name

/** Why tests that need the tools are skipped, or false. */
export function skipWithout(...names: Parameters<typeof missingPackages>[0]): string | false {
  const missing = missingPackages(names)
  return missing.length > 0 && `${missing.join(', ')}, as Debian calls it, is not installed`
}

const newPython = findPython('pass')

/** From the sources, without a cache beside them. */
export const python: Language = {
  name: 'Python',
  skip: newPython === undefined && 'Python 3.11 or newer is not installed',
  command: newPython ?? 'python3',
  // A warning, such as one about a socket that was not closed, is a failure.
  args: ['-B', '-W', 'error', join(here, 'driver.py')],
  env: { PYTHONPATH: join(packages, 'client-python', 'src') },
  spelling: (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
}

const autoload = { AUTOLOAD: join(packages, 'client-php', 'autoload.php') }

/** Without the settings of the machine, and so without curl. */
export const php: Language = {
  name: 'PHP, with streams',
  skip: skipWithout('php'),
  command: 'php',
  args: ['-n', '-d', 'error_reporting=-1', join(here, 'driver.php')],
  env: autoload,
  spelling: asIs,
}

export const phpWithCurl: Language = {
  ...php,
  name: 'PHP, with curl',
  skip: skipWithout('php', 'php-curl'),
  args: ['-n', '-d', 'extension=curl', '-d', 'error_reporting=-1', join(here, 'driver.php')],
}

export type DriverError = {
  type: 'WheelhouseProblem' | 'WheelhouseUnreachable' | 'WebhookRejected' | 'mistake'
  message: string
  trace: string
  code?: string
  status?: number | null
  retryable?: boolean
  requestId?: string
  key?: string | null
  reason?: string
  errors?: { pointer: string; detail: string }[]
  document?: Record<string, unknown>
}
export type Retries = [error: string, waitSeconds: number, attempts: number][]
export type Outcome = { value?: any; error?: DriverError; retries: Retries }
export type Driver = {
  /** Returns what the call returned or raised. */
  attempt: (name: string, args?: Record<string, unknown>) => Promise<Outcome>
  /** Returns what the call returned. */
  call: (name: string, args?: Record<string, unknown>) => Promise<any>
}

export function startDriver(t: Lifetime, { command, args, env, spelling }: Language): Driver {
  const child = spawn(command, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })
  const ended = once(child, 'exit')
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  defer(t, async () => {
    child.kill()
    await ended
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const attempt: Driver['attempt'] = async (name, given = {}) => {
    const own = Object.entries(given).map(([key, value]) => [spelling(key), value])
    child.stdin.write(`${JSON.stringify({ name: spelling(name), args: Object.fromEntries(own) })}\n`)
    const { value: line, done } = await lines.next()
    if (done === true) throw new Error(complaints)
    return inOurSpelling(JSON.parse(line))
  }
  const call: Driver['call'] = async (name, given) => {
    const { value, error } = await attempt(name, given)
    if (error !== undefined) throw new Error(`${error.type} ${error.message}\n${error.trace}`)
    return value
  }
  return { attempt, call }
}

/** `spin_count` as `spinCount`, on every level. */
function inOurSpelling<T>(value: T): T {
  if (Array.isArray(value)) return value.map(inOurSpelling) as T
  if (typeof value !== 'object' || value === null) return value
  const own = Object.entries(value).map(([key, one]) => [
    key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    inOurSpelling(one),
  ])
  return Object.fromEntries(own) as T
}
