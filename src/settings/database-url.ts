import { readFileSync } from 'node:fs'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'

/** One server that may hold our database. Of several, the one that takes writes is used. */
export type DatabaseTarget = {
  /** A host name, an address, or the folder of a unix socket. */
  host: string
  port: number
  user: string | undefined
  password: string | undefined
  database: string
  ssl: false | ConnectionOptions
}

const unreadable =
  'has an unreadable host; write host, host:port or [IPv6]:port, and in a password %2F for /, %40 for @, %3F for ?'
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full']
const knownParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'target_session_attrs']

/**
 * Reads `postgresql://user:password@host1:5432,host2:5432/database?sslmode=verify-full&sslrootcert=…`.
 * Returns a complaint where it can't. The driver reads one host only and gives `require` another meaning than
 * libpq does, hence our own reader; the modes here mean what libpq's manual says.
 */
export function parseDatabaseUrl(text: string): readonly DatabaseTarget[] | string {
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(text)
  if (parts === null) return 'must look like postgresql://user:password@host:5432/database'
  const [, credentials = '', authority = '', database = '', query = ''] = parts
  try {
    const parameters = new URLSearchParams(query)
    const unknown = [...parameters.keys()].filter((name) => !knownParameters.includes(name))
    // Unnamed: what follows a question mark may be a piece of a password that has one.
    if (unknown.length > 0) return `has unknown parameters; known are ${knownParameters.join(', ')}`
    if (database === '') return 'must name a database after the host'
    const wanted = parameters.get('target_session_attrs') ?? 'read-write'
    if (!['read-write', 'primary'].includes(wanted))
      return 'can only have target_session_attrs=read-write: the server needs the host that takes writes'

    const ssl = readSsl(parameters)
    if (typeof ssl === 'string') return ssl
    const [user, password] = splitOnce(credentials, ':')
    const hosts = authority === '' ? [parameters.get('host') ?? 'localhost'] : authority.split(',')
    const targets: DatabaseTarget[] = []
    for (const hostText of hosts) {
      const match = /^(?:\[([^\]@]+)\]|([^:@]+))(?::(\d{1,5}))?$/.exec(decodeURIComponent(hostText))
      const host = match?.[1] ?? match?.[2]
      if (host === undefined) return unreadable
      const port = Number(match?.[3] ?? 5432)
      if (port < 1 || port > 65_535) return 'has a port outside 1 to 65535'
      targets.push({
        host,
        port,
        user: user === '' ? undefined : decodeURIComponent(user),
        password: password === undefined ? undefined : decodeURIComponent(password),
        database: decodeURIComponent(database),
        ssl: host.startsWith('/') ? false : withServerName(ssl, host),
      })
    }
    return targets
  } catch (error) {
    return `could not be read (${error instanceof Error ? error.message : String(error)})`
  }
}

function readSsl(parameters: URLSearchParams): false | ConnectionOptions | string {
  const mode = parameters.get('sslmode') ?? 'disable'
  if (!sslModes.includes(mode)) return `has an unknown sslmode (${mode}); known are ${sslModes.join(', ')}`
  if (mode === 'disable') return false
  // As in libpq: an authority that is named is checked, even where the mode alone would not ask for it.
  const isVerified = mode !== 'require' || parameters.has('sslrootcert')
  const options: ConnectionOptions = { rejectUnauthorized: isVerified }
  for (const [parameter, option] of [
    ['sslrootcert', 'ca'],
    ['sslcert', 'cert'],
    ['sslkey', 'key'],
  ] as const) {
    const file = parameters.get(parameter)
    if (file !== null) options[option] = readFileSync(file, 'utf8')
  }
  // As in libpq: verify-ca trusts every certificate that the authority signed, whatever its name.
  options.checkServerIdentity = mode === 'verify-full' ? checkServerIdentity : () => undefined
  return options
}

function withServerName(ssl: false | ConnectionOptions, host: string): false | ConnectionOptions {
  return ssl === false ? false : { ...ssl, host }
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
