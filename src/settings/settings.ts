import type { DatabaseTarget } from './database-url.ts'
import {
  anyText,
  databaseTargets,
  durations,
  headerList,
  host,
  hostAndPort,
  mailSender,
  networks,
  onOff,
  oneOf,
  type Parse,
  passphrase,
  passphraseFile,
  publicKeys,
  ratio,
  sealKeys,
  mailAddress,
  smtpAddress,
  textFile,
  webAddress,
  wholeNumber,
} from './setting-kinds.ts'

/** One setting: its name in the environment, its default, how its text is read, and what it means. */
export type Setting<T> = {
  name: string
  fallback: T
  parse: Parse<T>
  help: string
  /** The default as one would write it, where that is not the value's own text. */
  fallbackText?: string
  /** What `.env.example` shows, where there is no default that could be shown. */
  example?: string
  /** A value that is never repeated in a message, because it may hold a password. */
  isConfidential?: true
}

/**
 * Every setting of the server. This table makes the type `Config`, the checks at start, `.env.example` and
 * `docs/settings.md`: a new setting is one entry here, and its use.
 */
export const settings = {
  host: setting('HOST', '127.0.0.1', host, {
    help: 'The address to listen on. The default serves this machine only; put a proxy with TLS in front before you open it.',
  }),
  port: setting('PORT', 8080, wholeNumber(1, 65_535), { help: 'The port to listen on.' }),
  publicUrl: setting('PUBLIC_URL', '', webAddress, {
    help:
      'The address that merchants use. Passkeys for the console need a domain name with https here, or localhost, and ' +
      'belong to that name. Default: http://HOST:PORT.',
    example: 'http://127.0.0.1:8080',
  }),
  gameUrl: setting('GAME_URL', '', webAddress, {
    help: 'The address that game links point to. It must lead to this server too. Default: PUBLIC_URL.',
    example: 'http://127.0.0.1:8080',
  }),
  dataDir: setting('DATA_DIR', 'data', anyText, {
    help:
      'Where the embedded PostgreSQL keeps its data. Backups and archives go below it too, unless set otherwise. ' +
      'Started in the folder of an unpacked archive, the default is ../data.',
  }),
  databaseTargets: setting<readonly DatabaseTarget[] | undefined>(
    'DATABASE_URL',
    undefined,
    databaseTargets,
    {
      help:
        'Your own PostgreSQL, 15 or newer. Of several hosts, with commas between, the one that takes writes is used. ' +
        'TLS: sslmode=disable|require|verify-ca|verify-full, with sslrootcert, sslcert and sslkey as files. ' +
        'Default: the embedded PostgreSQL.',
      example:
        'postgresql://user:password@db1:5432,db2:5432/wheelhouse?sslmode=verify-full&sslrootcert=/etc/ssl/db-ca.pem',
      isConfidential: true,
    },
  ),
  databasePoolMax: setting('DATABASE_POOL_MAX', 10, wholeNumber(2, 1_000), {
    help: 'The most database connections of one server process.',
  }),
  databaseLanes: setting('DATABASE_LANES', 1, wholeNumber(1, 64), {
    help: 'Queues of players; a batch has players of one queue. On Citus there are always 64.',
  }),
  databaseBatches: setting('DATABASE_BATCHES', 2, wholeNumber(1, 64), {
    help: 'The most batches of one kind and queue in flight at once. Set 1 on Citus.',
  }),
  databasePooler: setting('DATABASE_POOLER', false, onOff, {
    help:
      'on: a pooler in transaction mode (PgBouncer) is between. Then no prepared statements are used, and the three ' +
      "timeouts below, and the planner's settings in docs/operations.md, must be set for the role instead.",
  }),
  databaseStatementTimeoutMs: setting('DATABASE_STATEMENT_TIMEOUT_MS', 4_000, wholeNumber(100, 600_000), {
    help: 'The longest time that one statement may take.',
  }),
  databaseLockTimeoutMs: setting('DATABASE_LOCK_TIMEOUT_MS', 2_000, wholeNumber(10, 600_000), {
    help: 'The longest wait for a lock.',
  }),
  databaseIdleInTransactionTimeoutMs: setting(
    'DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS',
    10_000,
    wholeNumber(100, 600_000),
    { help: 'The longest pause between two statements of a transaction.' },
  ),
  processes: setting('PROCESSES', 1, wholeNumber(1, 64), {
    help: 'Server processes that share the work and the port. One fills a core; PostgreSQL needs some too.',
  }),
  metricsAddress: setting<{ host: string; port: number } | undefined>(
    'METRICS_ADDRESS',
    { host: '127.0.0.1', port: 9464 },
    hostAndPort,
    {
      help: 'Where Prometheus metrics are served, as host:port; off for nowhere. Default: 127.0.0.1:9464.',
      example: '127.0.0.1:9464',
    },
  ),
  traces: {
    endpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', '', webAddress, {
      help:
        'Where OpenTelemetry traces are sent, by OTLP over HTTP with JSON; /v1/traces is appended. ' +
        'Default: nowhere; nothing is traced.',
      example: 'http://127.0.0.1:4318',
    }),
    headers: setting<Readonly<Record<string, string>>>('OTEL_EXPORTER_OTLP_HEADERS', {}, headerList, {
      help: 'Headers of these requests, as name=value with commas between, encoded as in a URL.',
      example: 'authorization=Bearer%20secret',
      isConfidential: true,
    }),
    sampler: setting(
      'OTEL_TRACES_SAMPLER',
      'parentbased_traceidratio',
      oneOf(['parentbased_traceidratio', 'traceidratio']),
      {
        help:
          "parentbased_traceidratio: the merchant's server decides whether its request is traced, if it sends a header " +
          'traceparent; all other requests are traced at the ratio below. traceidratio: the ratio alone decides.',
      },
    ),
    ratio: setting('OTEL_TRACES_SAMPLER_ARG', 0.01, ratio, {
      help: 'The share of requests and webhook attempts that is traced, 0 to 1.',
    }),
    serviceName: setting('OTEL_SERVICE_NAME', 'wheelhouse', anyText, {
      help: 'The name of this service in traces.',
    }),
  },
  trustProxy: setting<readonly string[]>('TRUST_PROXY', [], networks, {
    help: 'Proxies whose X-Forwarded-For is believed: addresses or networks with commas between. Default: none.',
    example: '10.0.0.0/8',
  }),
  rateLimitPerSecond: setting('RATE_LIMIT_PER_SECOND', 1_000, wholeNumber(1, 1_000_000), {
    help: 'Requests per second that one service token may send to one process, averaged over ten seconds.',
  }),
  gameRateLimits: {
    requestsPerAddress: setting('GAME_REQUESTS_PER_ADDRESS', 3_000, wholeNumber(1, 1_000_000), {
      help:
        'Requests per minute that game pages of one address may send to one process; a school or a mobile network may ' +
        'share an address. Beyond it, requests get a 429.',
    }),
    playsPerPlayer: setting('GAME_PLAYS_PER_PLAYER', 120, wholeNumber(1, 1_000_000), {
      help: 'Plays per minute of one player. Beyond it, requests get a 429, and the merchant the event player.limited.',
    }),
    sessionsPerPlayer: setting('GAME_SESSIONS_PER_PLAYER', 600, wholeNumber(1, 1_000_000), {
      help: "Openings per minute of one player's links. Beyond it, as for plays.",
    }),
  },
  eventRetentionDays: setting('EVENT_RETENTION_DAYS', 30, wholeNumber(1, 3_650), {
    help: 'Days for which events can be read. An event that a webhook still has to send is kept up to twice as long.',
  }),
  stopDelaySeconds: setting('STOP_DELAY_SECONDS', 0, wholeNumber(0, 600), {
    help:
      'How long a server that was told to stop goes on serving while /readyz says no. ' +
      'Behind a load balancer: longer than it takes to notice.',
  }),
  stopGraceSeconds: setting('STOP_GRACE_SECONDS', 10, wholeNumber(1, 600), {
    help: 'How long a stopping server waits for requests in flight.',
  }),
  servesConsole: setting('CONSOLE', true, onOff, {
    help:
      'off: this process serves no console and accepts no console sessions, only service tokens and game links. ' +
      'For servers on the internet, while another server on the same database serves the console inside.',
  }),
  webhooks: {
    isSending: setting('WEBHOOKS', true, onOff, {
      help: 'off: this process sends no webhooks; others on the same database do.',
    }),
    allowHttp: setting('WEBHOOK_ALLOW_HTTP', false, onOff, {
      help: 'on: webhooks may have http:// addresses too. For trying out, and for private networks.',
    }),
    allowedNetworks: setting<readonly string[]>('WEBHOOK_ALLOWED_NETWORKS', [], networks, {
      help: 'Networks that webhooks may reach although they are not public, with commas between. Default: none.',
      example: '10.20.0.0/16,fd00:1234::/32',
    }),
    timeoutSeconds: setting('WEBHOOK_TIMEOUT_SECONDS', 10, wholeNumber(1, 60), {
      help: 'How long a receiver may take to answer.',
    }),
    concurrency: setting('WEBHOOK_CONCURRENCY', 16, wholeNumber(1, 256), {
      help: 'Deliveries in flight at once to each endpoint.',
    }),
    retryPausesSeconds: setting<readonly number[]>(
      'WEBHOOK_RETRY_PAUSES',
      [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 64_800, 79_200],
      durations,
      {
        help: 'The pause after each failed try. There is one more try than pauses: ten over three days by default.',
        fallbackText: '5s,5m,30m,2h,5h,10h,14h,18h,22h',
      },
    ),
    attemptDays: setting('WEBHOOK_ATTEMPT_DAYS', 14, wholeNumber(1, 3_650), {
      help: 'How long delivery attempts are kept.',
    }),
    deadLetterDays: setting('WEBHOOK_DEAD_LETTER_DAYS', 90, wholeNumber(1, 3_650), {
      help: 'How long dead letters are kept.',
    }),
  },
  sealIntervalSeconds: setting('SEAL_INTERVAL_SECONDS', 60, wholeNumber(0, 86_400), {
    help: 'How often new ledger entries are sealed; 0: not by this process, others on the same database do.',
  }),
  sealKeys: setting<readonly string[]>('SEAL_KEY', [], sealKeys, {
    help:
      'A secret of 64 hexadecimal digits (openssl rand -hex 32) under which the ledger is sealed, the same for every ' +
      'server. Without one the seals are plain hashes, which anyone who can write to the database can make too. ' +
      'To change it, put the new one before the old one, with a comma.',
    example: '',
    isConfidential: true,
  }),
  archiveDir: setting('ARCHIVE_DIR', '', anyText, {
    help:
      'Where `wheelhouse archive` puts its files, and where the audit reads them. They are part of the ledger: back them up. ' +
      'Default: archive in DATA_DIR.',
    example: '/var/lib/wheelhouse-archive',
  }),
  backup: {
    dir: setting('BACKUP_DIR', '', anyText, {
      help:
        'Where `wheelhouse backup` and the schedule put backups. Use another disk than the database. ' +
        'Default: backups in DATA_DIR.',
      example: '/var/backups/wheelhouse',
    }),
    everyHours: setting('BACKUP_EVERY_HOURS', 0, wholeNumber(0, 8_760), {
      help: 'How often the server takes a backup; 0: never. Servers on one database must share BACKUP_DIR.',
    }),
    keep: setting('BACKUP_KEEP', 7, wholeNumber(1, 10_000), {
      help: 'How many backups the schedule keeps. An older one is deleted after a newer one was taken and checked.',
    }),
    recipients: setting<readonly Buffer[]>('BACKUP_RECIPIENTS', [], publicKeys, {
      help:
        'Public keys (age1…, with commas between) to which every backup is encrypted. Only a holder of one of the private ' +
        'keys can read it; the server can not. `wheelhouse backup key` makes a pair. Default: none.',
      example: 'age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa',
    }),
    passphrase: setting('BACKUP_PASSPHRASE', '', passphrase, {
      help:
        'A passphrase with which every backup is encrypted, unless BACKUP_RECIPIENTS is set; and which opens such a backup. ' +
        'Without either, backups are not encrypted.',
      example: '',
      isConfidential: true,
    }),
    passphraseFile: setting('BACKUP_PASSPHRASE_FILE', '', passphraseFile, {
      help: 'The same, in a file.',
      example: '/etc/wheelhouse/backup-passphrase',
    }),
    identityFile: setting('BACKUP_IDENTITY_FILE', '', anyText, {
      help:
        'The file with a private key that opens backups for BACKUP_RECIPIENTS. Set it for a restore or a check only, and ' +
        'keep it away from the server.',
      example: 'backup-key.txt',
    }),
  },
  mail: {
    smtpUrl: setting('SMTP_URL', '', smtpAddress, {
      help:
        'The SMTP server for messages to players, alerts to staff, codes of visitors, invitations, password resets, and notices of changed sign-in methods. ' +
        'TLS begins at once with smtps://, and with smtp:// if ' +
        'the server offers it; ?requireTLS=true insists. Default: none; the console shows links instead.',
      example: 'smtp://user:password@mail.example.com:587',
      isConfidential: true,
    }),
    from: setting('MAIL_FROM', '', mailSender, {
      help: 'The sender of mail.',
      example: 'Wheelhouse <wheelhouse@example.com>',
    }),
    bounceAddress: setting('MAIL_BOUNCES_TO', '', mailAddress, {
      help:
        'Where reports of undeliverable mail go. The id of the mail is added, as bounce+<id>@example.com, so the mailbox ' +
        'must take such addresses. Default: MAIL_FROM.',
      example: 'bounce@example.com',
    }),
    reportsToken: setting('MAIL_REPORTS_TOKEN', '', passphrase, {
      help:
        'The secret under which your mail system reports undeliverable mail to /hooks/mail/<id>. Default: no reports are ' +
        'taken.',
      example: '',
      isConfidential: true,
    }),
    perHourMax: setting('MAILS_PER_MERCHANT_AND_HOUR', 1_000, wholeNumber(1, 1_000_000), {
      help: 'How many messages to players a merchant sends in an hour.',
    }),
    dkim: {
      domain: setting('DKIM_DOMAIN', '', anyText, {
        help: 'The domain whose key signs mail, if the SMTP server does not sign it: that of MAIL_FROM.',
        example: 'example.com',
      }),
      selector: setting('DKIM_SELECTOR', '', anyText, {
        help: 'The selector of that key: its DNS record is <selector>._domainkey.<domain>.',
        example: 'wheelhouse',
      }),
      privateKey: setting('DKIM_KEY_FILE', '', textFile, {
        help: 'The file with the private key, as PEM.',
        example: '/etc/wheelhouse/dkim.pem',
      }),
    },
  },
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    {
      help: 'trace, debug, info, warn, error, fatal or silent. Logs are JSON lines on standard output.',
    },
  ),
  demo: setting<boolean | undefined>('DEMO', undefined, onOff, {
    help:
      'Whether an empty database gets a demo merchant with a token at the first start. ' +
      'Default: on with the embedded PostgreSQL, off with DATABASE_URL.',
    example: 'on',
  }),
}

function setting<T>(
  name: string,
  fallback: T,
  parse: Parse<T>,
  more: Omit<Setting<T>, 'name' | 'fallback' | 'parse'>,
): Setting<T> {
  return { name, fallback, parse, ...more }
}

export type AnySetting = Setting<unknown>
/** A part of the table: settings, and groups of settings by name. */
export type SettingsTable = { [key: string]: AnySetting | SettingsTable }

export function isSetting(entry: AnySetting | SettingsTable): entry is AnySetting {
  return typeof entry.name === 'string'
}

/** All settings in the order of the table. */
export function listSettings(table: SettingsTable = settings): AnySetting[] {
  return Object.values(table).flatMap((entry) => (isSetting(entry) ? [entry] : listSettings(entry)))
}
