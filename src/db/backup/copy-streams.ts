import { once } from 'node:events'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { streamOf } from '../database.ts'

/** The parts of the driver's connection that COPY needs. */
type Connection = {
  query: (sql: string) => void
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
  sendCopyFail: (message: string) => void
}

/**
 * The messages that PostgreSQL sends in answer to a COPY, or to BASE_BACKUP. PostgreSQL waits while nobody reads them.
 * If they are not read to their end, the connection is closed.
 */
export function copyOut(client: pg.Client, sql: string): Readable & { rowCount?: number } {
  const socket = streamOf(client)
  let hasEnded = false
  const messages: Readable & { rowCount?: number } = new Readable({
    objectMode: true,
    highWaterMark: 32,
    read: () => void socket.resume(),
    destroy: (error, done) => {
      if (!hasEnded) socket.destroy()
      done(error)
    },
  })
  const query = new CopyQuery(sql, {
    onData: (chunk) => {
      // The driver reuses its buffer, so this is a copy.
      if (!messages.push(Buffer.from(chunk))) socket.pause()
    },
    onEnd: (rowCount) => {
      hasEnded = true
      messages.rowCount = rowCount
      messages.push(null)
      // Nothing asks for more after the end, and the next query needs the socket.
      socket.resume()
    },
    onError: (error) => messages.destroy(error),
  })
  client.query(query)
  return messages
}

/** Runs `copy … from stdin` and returns how many rows it took. */
export async function copyIn(client: pg.Client, sql: string, source: AsyncIterable<Buffer>): Promise<number> {
  const socket = streamOf(client)
  const failed = new AbortController()
  let sourceFailure: Error | undefined
  const send = async (connection: Connection): Promise<void> => {
    try {
      for await (const chunk of source) {
        if (failed.signal.aborted) return
        connection.sendCopyFromChunk(chunk)
        if (socket.writableNeedDrain) await once(socket, 'drain', { signal: failed.signal })
      }
      connection.endCopyFrom()
    } catch (error) {
      if (failed.signal.aborted) return
      sourceFailure = error as Error
      connection.sendCopyFail('the rows could not be read')
    }
  }
  return new Promise((resolve, reject) => {
    const query = new CopyQuery(sql, {
      onReady: (connection) => void send(connection),
      onEnd: resolve,
      onError: (error) => {
        failed.abort()
        reject(sourceFailure ?? error)
      },
    })
    client.query(query)
  })
}

type Handlers = {
  onData?: (chunk: Buffer) => void
  onReady?: (connection: Connection) => void
  onEnd: (rowCount: number) => void
  onError: (error: Error) => void
}

/** A query as the driver runs it, which hands COPY messages on. Other results of the command are not needed. */
class CopyQuery implements pg.Submittable {
  readonly #sql: string
  readonly #handlers: Handlers
  #rowCount = 0

  constructor(sql: string, handlers: Handlers) {
    this.#sql = sql
    this.#handlers = handlers
  }

  submit(connection: unknown): void {
    ;(connection as Connection).query(this.#sql)
  }

  handleCopyInResponse(connection: Connection): void {
    this.#handlers.onReady?.(connection)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#handlers.onData?.(chunk)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const rows = /^COPY (\d+)$/.exec(text)?.[1]
    if (rows !== undefined) this.#rowCount = Number(rows)
  }

  handleReadyForQuery(): void {
    this.#handlers.onEnd(this.#rowCount)
  }

  handleError(error: Error): void {
    this.#handlers.onError(error)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
