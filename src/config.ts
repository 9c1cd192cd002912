import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type DatabaseTarget, parseDatabaseUrl } from './db/database-url.ts'
import { Mistake } from './mistake.ts'
import { isNetwork } from './webhooks/network-rules.ts'

/** Everything that can be set from outside. `.env.example` tells what each means; a test keeps the two equal. */
export type Config = {
  host: string
  port: number
  publicUrl: string
  gameUrl: string
  dataDir: string
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  databaseTargets: readonly DatabaseTarget[] | undefined
  databasePoolMax: number
  databasePooler: boolean
  /** Players are divided among so many lanes; work shares transactions within one. */
  databaseLanes: number
  /** How many shared transactions of a kind and a lane may be under way at once. */
  databaseBatches: number
  databaseStatementTimeoutMs: number
  databaseLockTimeoutMs: number
  databaseIdleInTransactionTimeoutMs: number
  /** How many processes share the work and the port. */
  processes: number
  metricsAddress: { host: string; port: number } | undefined
  trustProxy: readonly string[]
  rateLimitPerSecond: number
  /** What players may ask of one process in a minute. */
  gamePace: { requestsPerAddress: number; playsPerPlayer: number; sessionsPerPlayer: number }
  stopGraceSeconds: number
  /** How long it serves on after it was told to stop, so that a balancer can look elsewhere. */
  stopDelaySeconds: number
  /** How long events can be read. */
  eventRetentionDays: number
  webhooks: WebhookSettings
  /** Undefined: nobody is sent mail. */
  mail: MailSettings | undefined
  logLevel: (typeof logLevels)[number]
  /** How often what is new in the ledger is sealed; 0 for not by this process. */
  sealIntervalSeconds: number
  /** Secrets under which the ledger is sealed, in hex; the first one seals, all are believed. */
  sealKeys: readonly string[]
  /** Whether an empty database gets a demo merchant with a token at the first start. */
  demo: boolean
}

export type WebhookSettings = {
  /** Whether this process sends webhooks. Those of one that does not are sent by others on the same database. */
  isSending: boolean
  allowHttp: boolean
  allowedNetworks: readonly string[]
  timeoutSeconds: number
  /** Requests under way at once, for each endpoint. */
  concurrency: number
  /** How long to wait after each failed try; one more try than there are pauses. */
  retryPausesSeconds: readonly number[]
  attemptDays: number
  deadLetterDays: number
}

export type MailSettings = { smtpUrl: string; from: string }

export class ConfigError extends Mistake {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `The settings have ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

/** Addresses may hold one in places that only a person can tell once they are mangled. */
const mayHoldPassword = new Set(['DATABASE_URL', 'SMTP_URL', 'SEAL_KEY'])

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Ten tries: at once, and after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 18 h and 22 h. */
const threeDays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 64_800, 79_200]

/** Reads the settings from the environment, and from a `.env` file in the working folder if there is one. */
export function loadConfig(fromCommandLine: Readonly<Record<string, string>> = {}): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return parseConfig({ ...process.env, ...fromCommandLine })
}

/** Reads every setting before it complains, so that one run shows all mistakes. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []

  function read<T>(name: string, fallback: T, parse: (text: string) => T | string): T {
    const text = env[name]?.trim()
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    const wrong = typeof value === 'string' && typeof fallback !== 'string'
    if (!wrong) return value as T
    problems.push(
      mayHoldPassword.has(name) ? `${name} ${value}` : `${name} ${value}, but is ${JSON.stringify(text)}`,
    )
    return fallback
  }
  // A text setting can't tell its value from a complaint by type, so it reports for itself.
  function readText(name: string, fallback: string, check: (text: string) => string | undefined): string {
    const text = env[name]?.trim()
    if (text === undefined || text === '') return fallback
    const complaint = check(text)
    if (complaint !== undefined)
      problems.push(
        mayHoldPassword.has(name)
          ? `${name} ${complaint}`
          : `${name} ${complaint}, but is ${JSON.stringify(text)}`,
      )
    return text
  }

  const host = readText('HOST', '127.0.0.1', (text) =>
    isHost(text) ? undefined : 'must be an address or a host name',
  )
  const port = read('PORT', 8080, wholeNumber(1, 65_535))
  const publicUrl = withoutSlash(readText('PUBLIC_URL', `http://${urlHost(host)}:${port}`, checkUrl))
  const smtpUrl = readText('SMTP_URL', '', checkSmtpUrl)
  const mailFrom = readText('MAIL_FROM', '', checkSender)
  if (smtpUrl !== '' && mailFrom === '') problems.push('MAIL_FROM must be set where SMTP_URL is')
  const config: Config = {
    host,
    port,
    publicUrl,
    gameUrl: withoutSlash(readText('GAME_URL', publicUrl, checkUrl)),
    dataDir: resolve(readText('DATA_DIR', 'data', () => undefined)),
    databaseTargets: read<Config['databaseTargets']>('DATABASE_URL', undefined, parseDatabaseUrl),
    databasePoolMax: read('DATABASE_POOL_MAX', 10, wholeNumber(2, 1_000)),
    processes: read('PROCESSES', 1, wholeNumber(1, 64)),
    databaseLanes: read('DATABASE_LANES', 1, wholeNumber(1, 64)),
    databaseBatches: read('DATABASE_BATCHES', 2, wholeNumber(1, 64)),
    databasePooler: read('DATABASE_POOLER', false, onOff),
    databaseStatementTimeoutMs: read('DATABASE_STATEMENT_TIMEOUT_MS', 4_000, wholeNumber(100, 600_000)),
    databaseLockTimeoutMs: read('DATABASE_LOCK_TIMEOUT_MS', 2_000, wholeNumber(10, 600_000)),
    databaseIdleInTransactionTimeoutMs: read(
      'DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS',
      10_000,
      wholeNumber(100, 600_000),
    ),
    metricsAddress: read<Config['metricsAddress']>(
      'METRICS_ADDRESS',
      { host: '127.0.0.1', port: 9464 },
      hostAndPort,
    ),
    trustProxy: read<readonly string[]>('TRUST_PROXY', [], addressList),
    rateLimitPerSecond: read('RATE_LIMIT_PER_SECOND', 1_000, wholeNumber(1, 1_000_000)),
    gamePace: {
      requestsPerAddress: read('GAME_REQUESTS_PER_ADDRESS', 3_000, wholeNumber(1, 1_000_000)),
      playsPerPlayer: read('GAME_PLAYS_PER_PLAYER', 120, wholeNumber(1, 1_000_000)),
      sessionsPerPlayer: read('GAME_SESSIONS_PER_PLAYER', 600, wholeNumber(1, 1_000_000)),
    },
    eventRetentionDays: read('EVENT_RETENTION_DAYS', 30, wholeNumber(1, 3_650)),
    stopDelaySeconds: read('STOP_DELAY_SECONDS', 0, wholeNumber(0, 600)),
    stopGraceSeconds: read('STOP_GRACE_SECONDS', 10, wholeNumber(1, 600)),
    webhooks: {
      isSending: read('WEBHOOKS', true, onOff),
      allowHttp: read('WEBHOOK_ALLOW_HTTP', false, onOff),
      allowedNetworks: read<readonly string[]>('WEBHOOK_ALLOWED_NETWORKS', [], networkList),
      timeoutSeconds: read('WEBHOOK_TIMEOUT_SECONDS', 10, wholeNumber(1, 60)),
      concurrency: read('WEBHOOK_CONCURRENCY', 16, wholeNumber(1, 256)),
      retryPausesSeconds: read<readonly number[]>('WEBHOOK_RETRY_PAUSES', threeDays, durationList),
      attemptDays: read('WEBHOOK_ATTEMPT_DAYS', 14, wholeNumber(1, 3_650)),
      deadLetterDays: read('WEBHOOK_DEAD_LETTER_DAYS', 90, wholeNumber(1, 3_650)),
    },
    mail: smtpUrl === '' ? undefined : { smtpUrl, from: mailFrom },
    logLevel: readText('LOG_LEVEL', 'info', (text) =>
      logLevels.some((level) => level === text) ? undefined : `must be one of ${logLevels.join(', ')}`,
    ) as Config['logLevel'],
    sealIntervalSeconds: read('SEAL_INTERVAL_SECONDS', 60, wholeNumber(0, 86_400)),
    sealKeys: read<readonly string[]>('SEAL_KEY', [], sealKeyList),
    demo: read('DEMO', env.DATABASE_URL === undefined || env.DATABASE_URL.trim() === '', onOff),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function wholeNumber(min: number, max: number) {
  return (text: string): number | string => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : `must be a whole number from ${min} to ${max}`
  }
}

function onOff(text: string): boolean | string {
  if (text === 'on') return true
  if (text === 'off') return false
  return 'must be on or off'
}

function checkUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'must be an http or https address'
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    return 'must have no query, fragment or user'
  return undefined
}

function checkSmtpUrl(text: string): string | undefined {
  const url = URL.parse(text)
  const isFine = url !== null && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== ''
  return isFine ? undefined : 'must be an address like smtp://user:password@mail.example:587, or smtps://…'
}

function checkSender(text: string): string | undefined {
  const isFine = /^(?:[^<>"\p{Cc}]+<[^\s@<>,]+@[^\s@<>,]+>|[^\s@<>,]+@[^\s@<>,]+)$/u.test(text)
  return isFine ? undefined : 'must be an address, or a name and an address like Acme <wheel@acme.example>'
}

function hostAndPort(text: string): { host: string; port: number } | undefined | string {
  if (text === 'off') return undefined
  const match = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:]+)):(?<port>\d{1,5})$/.exec(text)
  const host = match?.groups?.v6 ?? match?.groups?.name
  const port = Number(match?.groups?.port)
  if (host === undefined || !isHost(host) || port < 1 || port > 65_535) return 'must be host:port, or off'
  return { host, port }
}

function addressList(text: string): readonly string[] | string {
  const addresses = text.split(',').map((address) => address.trim())
  const valid = addresses.every((address) => isIP(address.replace(/\/\d{1,3}$/, '')) !== 0)
  return valid ? addresses : 'must be a list of addresses or networks (10.0.0.0/8) with commas between'
}

function networkList(text: string): readonly string[] | string {
  const networks = text.split(',').map((network) => network.trim())
  return networks.every(isNetwork)
    ? networks
    : 'must be a list of addresses or networks (10.0.0.0/8) with commas between'
}

function sealKeyList(text: string): readonly string[] | string {
  const keys = text.split(',').map((key) => key.trim().toLowerCase())
  return keys.every((key) => /^[0-9a-f]{64}$/.test(key))
    ? keys
    : 'must be 64 hexadecimal digits, or several such with commas between, the newest first'
}

const secondsIn = { s: 1, m: 60, h: 3_600, d: 86_400 }

function durationList(text: string): readonly number[] | string {
  const matches = text
    .split(',')
    .map((part) => /^(?<count>\d{1,6})(?<unit>[smhd])$/.exec(part.trim())?.groups)
  const seconds = matches.map((match) =>
    match === undefined ? Number.NaN : Number(match.count) * secondsIn[match.unit as keyof typeof secondsIn],
  )
  const valid = seconds.length <= 100 && seconds.every((count) => count >= 1 && count <= 30 * secondsIn.d)
  return valid ? seconds : 'must be a list of at most 100 times of 1s to 30d (5s,5m,2h) with commas between'
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text)
}

/** The host as a browser on the same machine can open it. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return isIP(host) === 6 ? `[${host}]` : host
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
