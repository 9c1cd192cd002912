import pg from 'pg'
import { DatabaseFailure } from '../database-fault.ts'

/** A column of a statement's result. */
export type Field = { name: string; dataTypeID: number }

/** Asks PostgreSQL for the columns of a statement without carrying it out. It is sent at once, before what follows. */
export async function describe(client: pg.ClientBase, text: string): Promise<readonly Field[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new Description(text, [], (error, result) => {
        if (error === null || error === undefined) resolve(result.fields)
        else reject(new DatabaseFailure(error))
      }),
    )
  })
}

type Wire = {
  parse: (message: { text: string; name: string; types: number[] }) => void
  describe: (message: { type: 'S'; name: string }) => void
  sync: () => void
}

/** Like a query of the driver, with neither values nor execution. */
class Description extends pg.Query {
  requiresPreparation(): boolean {
    return true
  }

  prepare(wire: Wire): void {
    wire.parse({ text: (this as unknown as { text: string }).text, name: '', types: [] })
    wire.describe({ type: 'S', name: '' })
    wire.sync()
  }
}
