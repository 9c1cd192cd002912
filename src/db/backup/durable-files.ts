import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  openSync,
  readFileSync,
  statfsSync,
  type WriteStream,
} from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Mistake } from '../../mistake.ts'
import { isErrno } from '../embedded/home.ts'

/** The size and hash of a file, by which damage is found. */
export type FileSum = { bytes: number; sha256: string }

/** Encrypts what is written, or decrypts what is read. */
type Change = (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

const noChange: Change = (chunks) => chunks

/** Writes a compressed file, so that it survives a power cut, and returns its size and hash. */
export async function writeCompressed(
  source: AsyncIterable<Buffer>,
  file: string,
  seal: Change = noChange,
): Promise<FileSum> {
  const sum = new Summing()
  await pipeline(source, createZstdCompress(), seal, (chunks) => sum.of(chunks), newFile(file))
  return sum.result()
}

export async function writeFile(
  content: string | Buffer,
  file: string,
  seal: Change = noChange,
): Promise<FileSum> {
  const sum = new Summing()
  await pipeline(Readable.from([Buffer.from(content)]), seal, (chunks) => sum.of(chunks), newFile(file))
  return sum.result()
}

function newFile(file: string): WriteStream {
  return createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
}

/** The content of a small file. Fails if the file is not the one with this sum, or not as it was encrypted. */
export async function readFile(file: string, expected?: FileSum, open: Change = noChange): Promise<Buffer> {
  let stored: Buffer
  try {
    stored = readFileSync(file)
  } catch (error) {
    throw isErrno(error, 'ENOENT') ? missing(file, error) : error
  }
  if (expected !== undefined && createHash('sha256').update(stored).digest('hex') !== expected.sha256)
    throw damaged(file)
  try {
    return Buffer.concat(await Array.fromAsync(open(Readable.from([stored]))))
  } catch (error) {
    throw damaged(file, error)
  }
}

/** The content of a compressed file. Fails at the end if the file is not the one with this sum. */
export async function* readCompressed(
  file: string,
  expected: FileSum,
  open: Change = noChange,
): AsyncGenerator<Buffer> {
  const sum = new Summing()
  const unpacked = createZstdDecompress()
  const reading = pipeline(
    createReadStream(file),
    (chunks: AsyncIterable<Buffer>) => sum.of(chunks),
    open,
    unpacked,
  )
  // The failure is thrown below; without this line it would also count as unhandled.
  reading.catch(() => undefined)
  try {
    yield* unpacked
    await reading
  } catch (error) {
    if (isErrno(error, 'ENOENT')) throw missing(file, error)
    throw isErrno(error, 'EACCES') ? error : damaged(file, error)
  }
  if (sum.result().sha256 !== expected.sha256) throw damaged(file)
}

export function damaged(file: string, cause?: unknown): Mistake {
  return new Mistake(`The backup is damaged: ${file} is not as it was written. Nothing was changed.`, {
    cause,
  })
}

function missing(file: string, cause: unknown): Mistake {
  return new Mistake(`The backup is damaged: its file ${file} is missing. Nothing was changed.`, { cause })
}

class Summing {
  readonly #hash = createHash('sha256')
  #bytes = 0

  async *of(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#hash.update(chunk)
      this.#bytes += chunk.length
      yield chunk
    }
  }

  result(): FileSum {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') }
  }
}

/** A new name in a folder survives a power cut only once the folder itself is written. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export function requireSpace(folder: string, bytesNeeded: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= bytesNeeded) return
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MiB`
  throw new Mistake(
    `${folder} has ${mebibytes(free)} free, and ${mebibytes(bytesNeeded)} are needed. Nothing was changed.`,
  )
}
