import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { Mistake } from './mistake.ts'
import { Complaint } from './settings/setting-kinds.ts'
import {
  type AnySetting,
  isSetting,
  listSettings,
  type Setting,
  settings,
  type SettingsTable,
} from './settings/settings.ts'

/** The values of all settings, in the shape of the table `settings`. */
export type Config = Omit<Values<typeof settings>, 'demo' | 'mail' | 'traces'> & {
  demo: boolean
  /** Undefined: nothing is traced. */
  traces: TraceSettings | undefined
  /** Undefined: no mail is sent. */
  mail: MailSettings | undefined
}

type Values<Table> = {
  [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : Values<Table[Key]>
}

export type MailSettings = Values<typeof settings.mail>

export type TraceSettings = Omit<Values<typeof settings.traces>, 'sampler'> & {
  /** Whether the decision in a merchant's header `traceparent` goes before the ratio. */
  followsCaller: boolean
}

export class ConfigError extends Mistake {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `The settings have ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings from the environment, and from a `.env` file in the working folder if there is one. */
export function loadConfig(fromCommandLine: Readonly<Record<string, string>> = {}): Config {
  // The processes that are started later get them too.
  for (const [name, value] of Object.entries(readEnvFile())) process.env[name] ??= value
  if (isInUnpackedArchive()) process.env.DATA_DIR ??= join('..', 'data')
  return parseConfig({ ...process.env, ...fromCommandLine })
}

/**
 * Whether the working folder is that of an unpacked archive, which has its launcher there. The data then goes beside
 * it, where the next version finds it.
 */
function isInUnpackedArchive(): boolean {
  return process.cwd() === join(import.meta.dirname, '..') && existsSync('wheelhouse')
}

/**
 * Sentences about names that are probably misspelt: all unknown ones in `.env` that look like settings, and those in
 * the environment that differ from a setting by one slip. compose.yaml uses two names of its own.
 */
export function misspeltSettings(): string[] {
  const settingNames = listSettings().map(({ name }) => name)
  const known = new Set(['DATABASE_PASSWORD', 'DOMAIN', ...settingNames])
  const inFile = Object.keys(readEnvFile()).filter(
    (name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !known.has(name),
  )
  const lines = existsSync('.env') ? readFileSync('.env', 'utf8').split('\n') : []
  const withoutSign = settingNames.filter((name) =>
    lines.some((line) => new RegExp(`^\\s*${name}\\s*(:|\\s[^=\\s])`).test(line)),
  )
  const meant = Object.keys(process.env)
    .filter((name) => !known.has(name) && !inFile.includes(name))
    .map((name) => [name, settingNames.find((other) => isOneSlipAway(name, other))])
    .filter(([, other]) => other !== undefined)
  const file = `.env has ${inFile.join(', ')}, which Wheelhouse does not know. .env.example lists all settings.`
  return [
    ...(inFile.length > 0 ? [file] : []),
    ...withoutSign.map((name) => `.env has a line for ${name} without "=", which is not read.`),
    ...meant.map(([name, other]) => `The environment has ${name}. Is ${other} meant?`),
  ]
}

/** One letter too many, missing or wrong, or two that changed places. Short names may differ by chance. */
function isOneSlipAway(name: string, other: string): boolean {
  if (other.length < 6 || Math.abs(name.length - other.length) > 1) return false
  let start = 0
  while (start < name.length && name[start] === other[start]) start++
  const [rest, otherRest] = [name.slice(start), other.slice(start)]
  const swapped = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`
  return (
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    rest.slice(1) === otherRest.slice(1) ||
    swapped === otherRest
  )
}

/**
 * Unlike Node's `loadEnvFile`, it does not call a file missing that it may not read. Editors on Windows put a byte
 * order mark before the first name.
 */
function readEnvFile(): NodeJS.Dict<string> {
  return existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8').replace(/^\ufeff/, '')) : {}
}

/** Reads every setting before it fails, so that one run shows all mistakes. */
export function parseConfig(env: Environment): Config {
  const problems: string[] = []
  const values = readTable(settings, env, problems) as Values<typeof settings>
  if (values.mail.smtpUrl !== '' && values.mail.from === '')
    problems.push('MAIL_FROM must be set where SMTP_URL is')
  const { domain, selector, privateKey } = values.mail.dkim
  const given = [domain, selector, privateKey].filter((part) => part !== '')
  if (given.length === 1 || given.length === 2)
    problems.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE belong together')
  if (problems.length > 0) throw new ConfigError(problems)
  const publicUrl = values.publicUrl || localUrl(values)
  const dataDir = resolve(values.dataDir)
  return {
    ...values,
    publicUrl,
    gameUrl: values.gameUrl || publicUrl,
    dataDir,
    archiveDir: resolve(values.archiveDir || join(dataDir, 'archive')),
    backup: {
      ...values.backup,
      dir: resolve(values.backup.dir || join(dataDir, 'backups')),
      passphrase: values.backup.passphrase || values.backup.passphraseFile,
    },
    traces: values.traces.endpoint === '' ? undefined : traceSettings(values.traces),
    mail: values.mail.smtpUrl === '' ? undefined : values.mail,
    demo: values.demo ?? values.databaseTargets === undefined,
  }
}

function traceSettings({ sampler, ...rest }: Values<typeof settings.traces>): TraceSettings {
  return { ...rest, followsCaller: sampler === 'parentbased_traceidratio' }
}

function readTable(table: SettingsTable, env: Environment, problems: string[]): object {
  const read = (entry: AnySetting | SettingsTable): unknown =>
    isSetting(entry) ? readSetting(entry, env, problems) : readTable(entry, env, problems)
  return Object.fromEntries(Object.entries(table).map(([key, entry]) => [key, read(entry)]))
}

function readSetting(setting: AnySetting, env: Environment, problems: string[]): unknown {
  const { name, fallback, parse, isConfidential } = setting
  const text = env[name]?.trim()
  if (text === undefined || text === '') return fallback
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    const value = isConfidential === true ? '' : `, but is ${JSON.stringify(text)}`
    problems.push(`${name} ${error.message}${value}`)
    return fallback
  }
}

/** The server's address as a client on the same machine can reach it. */
export function localUrl({ host, port }: { host: string; port: number }): string {
  const isEvery = host === '0.0.0.0' || host === '::'
  const reachable = isEvery ? '127.0.0.1' : isIP(host) === 6 ? `[${host}]` : host
  return `http://${reachable}:${port}`
}
