import { DatabaseError } from 'pg'

/** Why a statement failed, as far as the caller can act on it. */
type DatabaseFault = 'lost' | 'busy' | 'read_only' | 'timed_out' | 'mistake'

/**
 * Classifies a driver error by SQLSTATE: messages are translated, and Citus leaves the names of tables and constraints
 * empty. An error without a SQLSTATE means that the connection failed. Citus says in English, and with the SQLSTATE of
 * a mistake, that PostgreSQL has just died.
 */
function databaseFault(error: unknown): DatabaseFault {
  const state = error instanceof DatabaseError ? error.code : undefined
  if (state === undefined) return 'lost'
  if (state === '25006') return 'read_only'
  if (state === '40001' || state === '40P01' || state === '55P03') return 'busy'
  // No such database, or no access to it: once an administrator has fixed that, the same work succeeds.
  if (state === '3D000' || state.startsWith('28')) return 'lost'
  if (state.startsWith('08') || state.startsWith('57P') || state.startsWith('53')) return 'lost'
  if (state === 'XX000' && (error as Error).message.startsWith('postmaster was shut down')) return 'lost'
  if (state === '57014' || state === '25P03') return 'timed_out'
  return 'mistake'
}

/** What PostgreSQL does not allow our role to do, in its words; undefined for any other error. */
export function permissionDenied(error: unknown): string | undefined {
  const cause = error instanceof DatabaseFailure ? error.cause : error
  return cause instanceof DatabaseError && cause.code === '42501' ? cause.message : undefined
}

/** A driver error. The database layer throws no other class for its own failures. */
export class DatabaseFailure extends Error {
  readonly fault: DatabaseFault

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'DatabaseFailure'
    this.fault = databaseFault(cause)
  }

  /** Whether a retry may succeed soon. Keyed work may then be repeated. */
  get isPassing(): boolean {
    return this.fault !== 'mistake'
  }

  /** PostgreSQL's own code; undefined if the connection failed. */
  get sqlState(): string | undefined {
    return this.cause instanceof DatabaseError ? this.cause.code : undefined
  }

  /** Whether a row with the same key exists already. */
  get isDuplicate(): boolean {
    return this.cause instanceof DatabaseError && this.cause.code === '23505'
  }

  /** Whether rows of players are on another machine than before. */
  get isMoved(): boolean {
    return this.cause instanceof DatabaseError && this.cause.code === '40001'
  }

  /** Whether a constraint refused a row, so that the whole statement had no effect. */
  get violatesConstraint(): boolean {
    return this.cause instanceof DatabaseError && this.cause.code?.startsWith('23') === true
  }

  /** Whether the connection must be closed: it is dead, or leads to a read-only server. */
  get breaksConnection(): boolean {
    return this.fault === 'lost' || this.fault === 'read_only'
  }
}
