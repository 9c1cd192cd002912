import { Mistake } from '../../mistake.ts'
import { ByteReader } from './byte-reader.ts'

/** A file or folder of an archive. Its content must be read before the next entry. */
export type TarEntry = { path: string; isFolder: boolean; size: number; content: AsyncIterable<Buffer> }

const blockBytes = 512

/** Reads the entries of an archive as PostgreSQL writes it: plain ustar headers, files and folders only. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source)
  for (;;) {
    const header = await bytes.take(blockBytes)
    if (header.every((byte) => byte === 0)) break
    const type = String.fromCharCode(header[156] ?? 0)
    const path = text(header.subarray(0, 100)).replace(/\/$/, '')
    if (!'05'.includes(type)) throw new Mistake(`The archive has ${path}, which is no file or folder.`)
    const size = number(header.subarray(124, 136))
    yield { path, isFolder: type === '5', size, content: bytes.read(size) }
    await bytes.take((blockBytes - (size % blockBytes)) % blockBytes)
  }
  await bytes.skipRest()
}

function text(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? field.length : end)
}

/** Octal digits; or, for files of 8 GiB and more, a binary number behind a byte of 0x80. */
function number(field: Buffer): number {
  if (field[0] === 0x80) return Number(field.readBigUInt64BE(4))
  return Number.parseInt(text(field), 8)
}
