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
  if (existsSync('.env')) process.loadEnvFile('.env')
  return parseConfig({ ...process.env, ...fromCommandLine })
}

/** The names in `.env` that look like settings and are none, such as misspelt ones. compose.yaml uses two of its own. */
export function unknownInEnvFile(): string[] {
  if (!existsSync('.env')) return []
  const known = new Set(['DATABASE_PASSWORD', 'DOMAIN', ...listSettings().map(({ name }) => name)])
  const names = Object.keys(parseEnv(readFileSync('.env', 'utf8')))
  return names.filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !known.has(name))
}

/** Reads every setting before it fails, so that one run shows all mistakes. */
export function parseConfig(env: Environment): Config {
  const problems: string[] = []
  const values = readTable(settings, env, problems) as Values<typeof settings>
  if (values.mail.smtpUrl !== '' && values.mail.from === '')
    problems.push('MAIL_FROM must be set where SMTP_URL is')
  if (problems.length > 0) throw new ConfigError(problems)
  const publicUrl = values.publicUrl || localUrl(values)
  const dataDir = resolve(values.dataDir)
  return {
    ...values,
    publicUrl,
    gameUrl: values.gameUrl || publicUrl,
    dataDir,
    archiveDir: resolve(values.archiveDir || join(dataDir, 'archive')),
    backup: { ...values.backup, dir: resolve(values.backup.dir || join(dataDir, 'backups')) },
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
