import { userInfo } from 'node:os'
import type { Logger } from 'pino'
import { loadConfig, type Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { checkSchema } from '../db/migrate.ts'
import { makeLog } from '../log.ts'
import type { Cause } from '../audit-log/audit-log.ts'
import { type Clocked, timeOf } from '../test-clock.ts'
import { readLife } from '../wheels/interruptions.ts'
import { visibleText } from '../visible-text.ts'
import { openExistingDatabase } from './database/existing-database.ts'

export type JsonOption = { json?: boolean }

/** Prints JSON for scripts, or text for people. */
export function print(value: unknown, options: JsonOption, text: string): void {
  // Without a listener, a full disk or a closed pipe would end the command with a stack trace.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', reportUnwritten)
  process.stdout.write(`${options.json === true ? JSON.stringify(value, null, 2) : text}\n`)
}

function reportUnwritten({ message }: Error): void {
  process.stderr.write(`wheelhouse: Can't write to standard output (${message}).\n`)
  process.exitCode = 1
}

/** Aligns the rows in columns. */
export function table(rows: readonly Record<string, unknown>[], empty: string): string {
  const [first] = rows
  if (first === undefined) return empty
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `1 player`, `2 players`. */
export function counting(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, 'Z')
  if (Array.isArray(value)) return value.join(',')
  // Control characters in merchants' texts must not reach the terminal.
  return typeof value === 'string' ? visibleText(value.replaceAll(/\p{Cc}/gu, '�')) : JSON.stringify(value)
}

/** Runs a command on the database. The addresses in `config` are those of the running server, if there is one. */
export async function withDatabase<T>(
  work: (db: Database, config: Config, log: Logger) => Promise<T>,
): Promise<T> {
  const config = loadConfig()
  const log = makeLog('silent')
  const { db, close } = await openExistingDatabase(config)
  try {
    await checkSchema(db)
    return await work(db, { ...config, ...(await readLife(db)) }, log)
  } finally {
    await close()
  }
}

/** The cause of a change made by a command, for the audit log. Its time is that of the merchant, if it has a clock. */
export function commandCause(merchant: Clocked = {}): Cause {
  const { username, uid } = userInfo()
  return {
    actor: { kind: 'command', id: String(uid), name: username },
    requestId: null,
    now: timeOf(merchant, new Date()),
  }
}
