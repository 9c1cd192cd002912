import { DatabaseError } from 'pg'

/** Why the database did not do what it was asked, as far as the caller can act on it. */
export type DatabaseFault = 'lost' | 'busy' | 'read_only' | 'timed_out' | 'mistake'

/**
 * Sorts an error of the driver by SQLSTATE alone: messages are translated, and Citus leaves the names of tables and
 * constraints empty. What has no SQLSTATE never reached a server, or lost it on the way.
 */
export function databaseFault(error: unknown): DatabaseFault {
  const state = error instanceof DatabaseError ? error.code : undefined
  if (state === undefined) return 'lost'
  if (state === '25006') return 'read_only'
  if (state === '40001' || state === '40P01' || state === '55P03') return 'busy'
  // No such database, or not for this user: somebody else has to put it right, and then the same work succeeds.
  if (state === '3D000' || state.startsWith('28')) return 'lost'
  if (state.startsWith('08') || state.startsWith('57P') || state.startsWith('53')) return 'lost'
  if (state === '57014' || state === '25P03') return 'timed_out'
  return 'mistake'
}

/** An error of the driver. The database layer throws nothing else, so that other errors pass it unharmed. */
export class DatabaseFailure extends Error {
  readonly fault: DatabaseFault

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'DatabaseFailure'
    this.fault = databaseFault(cause)
  }

  /** Whether the same work may succeed in a moment. Work that is keyed may then be done again. */
  get isPassing(): boolean {
    return this.fault !== 'mistake'
  }

  /** Whether something of the same key is there already. */
  get isDuplicate(): boolean {
    return this.cause instanceof DatabaseError && this.cause.code === '23505'
  }

  /** Whether the connection must go: it is dead, or leads to a server that takes no writes. */
  get breaksConnection(): boolean {
    return this.fault === 'lost' || this.fault === 'read_only'
  }
}
