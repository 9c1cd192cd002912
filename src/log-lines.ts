import { write, writeSync } from 'node:fs'
import { logBufferBytes, logBytesMax } from './limits.ts'

/** Why lines of the log were dropped. `blocked`: their reader, or their disk, takes no more. */
export type LogTrouble = 'disk_full' | 'closed' | 'blocked' | 'failed'

const newline = '\n'.charCodeAt(0)
/** How long an exiting process waits for a reader of its log that is slow. */
const exitWaitMs = 1_000

/**
 * Collects lines and writes them together to standard output, because each write is a system call. The log must not
 * stop the game: lines that can't be written are dropped and counted, on a full disk, on a closed pipe, and if the
 * buffer is full because nobody reads. (A stream of pino ends the process at the first error, and at its exit tries for
 * ever.)
 */
export class LogLines {
  readonly #file: number
  #waiting = ''
  /** What is left of the lines that are being written. */
  #rest: Buffer = Buffer.alloc(0)
  #isWriting = false
  /** Whether a line was written in part before the rest of it was dropped. */
  #isBroken = false
  #trouble: LogTrouble | undefined
  #droppedNow = 0
  /** The number of lines that were dropped since the start. */
  readonly dropped: Record<LogTrouble, number> = { disk_full: 0, closed: 0, blocked: 0, failed: 0 }
  /** Called when a write has succeeded again after lines were dropped. */
  onRecovery: (dropped: number, trouble: LogTrouble) => void = () => undefined

  constructor(file = 1) {
    this.#file = file
    // Node makes a pipe non-blocking when it opens the stream. A write to a full one would otherwise never return.
    void process.stdout
  }

  /** Why lines are being dropped now; undefined if the last write succeeded. */
  get trouble(): LogTrouble | undefined {
    return this.#trouble
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > logBytesMax) return this.#drop(1, 'blocked')
    this.#waiting += line
    if (this.#waiting.length >= logBufferBytes) this.flush()
  }

  /** Starts to write the waiting lines, unless a write is under way. */
  flush(): void {
    if (this.#isWriting || !this.#take()) return
    this.#isWriting = true
    write(this.#file, this.#rest, (error, bytes) => {
      this.#isWriting = false
      if (error === null) this.#wrote(bytes)
      else if (!isPassing(error)) this.#give(error)
      // A reader that is only slow gets the rest at the next flush.
      if (error === null && (this.#rest.length > 0 || this.#waiting.length >= logBufferBytes)) this.flush()
    })
  }

  /** Writes what is left before the process exits. It waits a moment for a slow reader, not for one that is gone. */
  end(): void {
    const deadline = performance.now() + exitWaitMs
    while (!this.#isWriting && this.#take()) {
      try {
        this.#wrote(writeSync(this.#file, this.#rest))
      } catch (error) {
        if (!isPassing(error) || performance.now() > deadline) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      }
    }
  }

  /** Takes the next lines to write, once the last ones are done. */
  #take(): boolean {
    if (this.#rest.length > 0) return true
    if (this.#waiting === '') return false
    this.#rest = Buffer.from(this.#isBroken ? `\n${this.#waiting}` : this.#waiting)
    this.#waiting = ''
    return true
  }

  #wrote(bytes: number): void {
    if (bytes > 0) this.#isBroken = this.#rest[bytes - 1] !== newline
    this.#rest = this.#rest.subarray(bytes)
    if (this.#rest.length > 0 || this.#trouble === undefined) return
    const [dropped, trouble] = [this.#droppedNow, this.#trouble]
    this.#droppedNow = 0
    this.#trouble = undefined
    this.onRecovery(dropped, trouble)
  }

  /** Gives up what is being written. */
  #give(error: NodeJS.ErrnoException): void {
    // A line break at the beginning ends a line that is written already.
    const lines = this.#rest.subarray(1).reduce((count, byte) => (byte === newline ? count + 1 : count), 0)
    this.#rest = this.#rest.subarray(0, 0)
    this.#drop(lines, troubles[error.code ?? ''] ?? 'failed')
  }

  #drop(lines: number, trouble: LogTrouble): void {
    this.#trouble = trouble
    this.#droppedNow += lines
    this.dropped[trouble] += lines
  }
}

const troubles: Readonly<Record<string, LogTrouble>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EFBIG: 'disk_full',
  EPIPE: 'closed',
}

function isPassing(error: unknown): boolean {
  return ['EAGAIN', 'EINTR', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')
}
