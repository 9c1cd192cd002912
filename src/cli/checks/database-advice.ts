import { DatabaseFailure } from '../../db/database-fault.ts'

/** What to do about a database that does not answer, by the reason. */
export function adviceOnDatabase(error: unknown): string {
  const failure = error instanceof DatabaseFailure ? error : undefined
  const { code, message = '' } = (failure?.cause ?? error) as { code?: string; message?: string }
  const bySign = signs.find(({ sign }) => sign.test(message))?.advice
  return byCode[code ?? ''] ?? bySign ?? checkAll
}

const checkAll =
  'Check that PostgreSQL runs there and accepts connections, and that DATABASE_URL has the right address, user and password.'
const nobodyListens =
  'Nothing listens at that address. Check that PostgreSQL runs there, and that DATABASE_URL has the right host and port.'
const unknownHost =
  'This machine does not know that host. Correct its name in DATABASE_URL, or the name service of this machine.'
const noWay =
  'No answer came from that address. Check the host and port in DATABASE_URL, the firewalls between, and listen_addresses of PostgreSQL.'
const certificate =
  "sslmode asks for a certificate that can be verified. Set sslrootcert in DATABASE_URL to the file of PostgreSQL's certificate authority, and the host to the name in the certificate."
const account =
  'Correct the user and password in DATABASE_URL, or allow this user and address in pg_hba.conf. If it says "no encryption", add sslmode=require to DATABASE_URL.'

/** By SQLSTATE, and by the codes of Node. */
const byCode: Readonly<Record<string, string>> = {
  '53300':
    'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_MAX or PROCESSES: docs/operations.md has the rule. A role or a database may have a limit of its own (connection limit).',
  '53100': 'Free some space on the disk of PostgreSQL, or enlarge it. It then takes writes again by itself.',
  '28P01': account,
  '28000': account,
  '3D000': 'Create the database (create database … owner …), or correct its name in DATABASE_URL.',
  '57P03': 'PostgreSQL is starting, recovering or stopping. Wait, and look into its log if it takes long.',
  '25006': 'It is a standby, or read-only. Set DATABASE_URL to the primary, or list all hosts.',
  ECONNREFUSED: nobodyListens,
  ENOENT: nobodyListens,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ETIMEDOUT: noWay,
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  SELF_SIGNED_CERT_IN_CHAIN: certificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificate,
  ERR_TLS_CERT_ALTNAME_INVALID: certificate,
  CERT_HAS_EXPIRED: "PostgreSQL's certificate has expired. Install a new one.",
}

/** The driver's own errors have no code. */
const signs = [
  {
    sign: /does not support SSL/,
    advice:
      'sslmode in DATABASE_URL asks for TLS, and this PostgreSQL has none. Switch it on there (ssl = on); or remove sslmode, if nobody else can read the network between.',
  },
  { sign: /^No host takes writes/, advice: 'Each host is below, with what to do about it.' },
  { sign: /timeout/i, advice: noWay },
]
