import { Mistake } from '../../mistake.ts'

/** Cuts a stream of chunks into pieces of the wanted size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  #hasEnded = false

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]()
  }

  async take(size: number): Promise<Buffer> {
    const bytes = await this.takeUpTo(size)
    if (bytes.length < size) throw endedEarly()
    return bytes
  }

  /** Fewer only at the end. */
  async takeUpTo(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let missing = size; missing > 0 && (await this.#fill());) {
      const part = this.#cut(missing)
      missing -= part.length
      parts.push(part)
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }

  async *read(size: number): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0;) {
      if (!(await this.#fill())) throw endedEarly()
      const part = this.#cut(missing)
      missing -= part.length
      yield part
    }
  }

  /** Text up to the end of its line, without it. */
  async takeLine(bytesMax: number): Promise<string> {
    const letters: number[] = []
    for (;;) {
      const letter = (await this.take(1))[0] as number
      if (letter === 0x0a) return Buffer.from(letters).toString()
      if (letters.push(letter) > bytesMax) throw new Error(`a line has more than ${bytesMax} bytes`)
    }
  }

  async skipRest(): Promise<void> {
    while ((await this.#chunks.next()).done !== true);
  }

  #cut(size: number): Buffer {
    const part = this.#rest.subarray(0, size)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }

  /** Whether there are more bytes. */
  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0 && !this.#hasEnded) {
      const { done, value } = await this.#chunks.next()
      if (done === true) this.#hasEnded = true
      else this.#rest = value
    }
    return this.#rest.length > 0
  }
}

function endedEarly(): Mistake {
  return new Mistake('The archive ends too early.')
}
