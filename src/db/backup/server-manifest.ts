import { createHash } from 'node:crypto'
import { damaged } from './durable-files.ts'
import type { TarEntry } from './read-tar.ts'

/** The list of files that PostgreSQL itself makes for a base backup, with a checksum of each. */
type ServerManifest = { files: Map<string, { size: number; sha256: string }>; bytes: number }

/** Reads the list and checks its own checksum, which is its last line. */
export function readServerManifest(text: string, file: string): ServerManifest {
  const body = text.slice(0, text.lastIndexOf('"Manifest-Checksum"'))
  const parsed = parse(text, file)
  if (createHash('sha256').update(body).digest('hex') !== parsed['Manifest-Checksum']) throw damaged(file)
  const files = parsed.Files.map((entry) => {
    const path = entry.Path ?? Buffer.from(entry['Encoded-Path'] ?? '', 'hex').toString()
    return [path, { size: entry.Size, sha256: entry.Checksum }] as const
  })
  return { files: new Map(files), bytes: parsed.Files.reduce((sum, { Size }) => sum + Size, 0) }
}

type Parsed = {
  Files: { Path?: string; 'Encoded-Path'?: string; Size: number; Checksum: string }[]
  'Manifest-Checksum': string
}

function parse(text: string, file: string): Parsed {
  try {
    return JSON.parse(text) as Parsed
  } catch (error) {
    throw damaged(file, error)
  }
}

/**
 * Hands every entry of the archive on and compares it with the list: no file is missing, changed or added. The
 * write-ahead log is not in the list; the checksum of the archive covers it, and PostgreSQL checks it at the start.
 */
export async function* checkedEntries(
  entries: AsyncIterable<TarEntry>,
  { files }: ServerManifest,
  archive: string,
): AsyncGenerator<TarEntry> {
  const missing = new Set(files.keys())
  for await (const entry of entries) {
    const listed = files.get(entry.path)
    if (!entry.isFolder && listed === undefined && !entry.path.startsWith('pg_wal/'))
      throw damaged(`${archive} (${entry.path})`)
    const hash = createHash('sha256')
    yield { ...entry, content: hashed(entry.content, hash) }
    if (listed !== undefined && (listed.size !== entry.size || listed.sha256 !== hash.digest('hex')))
      throw damaged(`${archive} (${entry.path})`)
    missing.delete(entry.path)
  }
  const [first] = missing
  if (first !== undefined) throw damaged(`${archive} (${first} is missing)`)
}

async function* hashed(
  content: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}
