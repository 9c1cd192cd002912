import { createWriteStream, unlinkSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Account, giveTo, makePrivateFolder } from '../embedded/home.ts'
import { damaged } from './durable-files.ts'
import type { TarEntry } from './read-tar.ts'

/** Writes the files of an archive to a new folder that only the database's account can open. */
export async function extractEntries(
  entries: AsyncIterable<TarEntry>,
  folder: string,
  account: Account,
): Promise<void> {
  makePrivateFolder(folder, account)
  const made = new Set([folder])
  const makeFolder = (path: string): void => {
    if (made.has(path)) return
    makeFolder(dirname(path))
    makePrivateFolder(path, account)
    made.add(path)
  }
  for await (const { path, isFolder, content } of entries) {
    const target = normalize(join(folder, path))
    if (!target.startsWith(`${folder}/`)) throw damaged(path)
    makeFolder(isFolder ? target : dirname(target))
    if (isFolder) continue
    // The lock of the old server's socket would keep the new one from starting. Unlink it once its checksum is known.
    await pipeline(content, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
    if (path.startsWith('.s.PGSQL.')) unlinkSync(target)
    else giveTo(account, target)
  }
}
