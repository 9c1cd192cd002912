// The database of an earlier release, with the answers that its callers got. scripts/record-release.ts makes it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { type Contents, loadContents } from '../../src/db/backup/table-contents.ts'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'

export type RecordedRelease = {
  release: string
  commit: string
  recordedAt: string
  token: string
  sealKey: string
  staff: { email: string; password: string }
  grants: { key: string; body: { playerId: string; spinNumber: number }; answer: unknown }[]
  links: { playerId: string; initialSpin: number; token: string }[]
  plays: { order: Record<string, unknown>; answer: Record<string, unknown> }[]
  players: Record<string, { spinCount: number }>
  events: { id: string; seq: number; type: string }[]
  /** An export of all plays, as JSON lines. */
  proofs: string
  /** The newest seal, as a JSON line. */
  seals: string
  /** The texts of its migrations. */
  migrations: string[]
  contents: Contents
  /** The rows of each table, as COPY writes them. */
  rows: Record<string, string>
}

export const releaseFolder = join(import.meta.dirname, 'releases')

export function readRelease(release: string): RecordedRelease {
  const packed = readFileSync(join(releaseFolder, `${release}.json.gz`))
  return JSON.parse(gunzipSync(packed).toString()) as RecordedRelease
}

/** Makes the release's database, with the release's own migrations and rows. */
export async function loadRelease(recorded: RecordedRelease, target: DatabaseTarget): Promise<void> {
  const client = new pg.Client(target)
  await client.connect()
  try {
    const rowsOf = async function* ({ name }: { name: string }) {
      yield Buffer.from(recorded.rows[name] ?? '')
    }
    await loadContents(client, recorded.contents, rowsOf, recorded.migrations)
  } finally {
    await client.end()
  }
}
