import { Mistake } from '../mistake.ts'
import { type Fact, readCatalogue } from './catalogue.ts'
import { type Queryable, statement } from './database.ts'

/**
 * Compares a database that the migrations of 0.3.0 have made with the baseline that replaces them, once, before the
 * first migration after it. Fails if it lacks anything that the program and later migrations rely on. Anything else
 * that is missing is a warning. What operators have added, such as indexes, does not matter.
 */
export async function adoptDatabase(
  tx: Queryable,
  baseline: string,
  warn: (message: string) => void,
): Promise<void> {
  // Citus changes columns with numbers. `wheelhouse distribute` has checked the tables that it spread.
  if (tx.isCluster === true) return
  const missing = (await missingFacts(tx, baseline)).filter(({ kind }) => kind !== 'storage')
  const needed = missing.filter(({ kind }) => !isOptional(kind))
  if (needed.length > 0)
    throw new Mistake(
      `The tables are not those of Wheelhouse 0.3.0, so this version does not use them. ${describe(needed)} ` +
        'Nothing was changed. Make what is missing, or start 0.3.0 again, and ask for help. ' +
        'docs/install.md, Updates, says more.',
    )
  if (missing.length > 0) warn(`The tables differ from those of Wheelhouse 0.3.0. ${describe(missing)}`)
}

/** Without an index, the program is slow. Without having given up a privilege, it could change the ledger. */
function isOptional(kind: Fact['kind']): boolean {
  return kind === 'index' || kind === 'privilege'
}

/** The facts of the baseline that are not true of the database. */
async function missingFacts(tx: Queryable, baseline: string): Promise<Fact[]> {
  const found = new Set((await readCatalogue(tx)).map(keyOf))
  await tx.query(statement('savepoint before_baseline'))
  // Tables that nobody else sees, and that need no privilege to create a schema. PostgreSQL itself describes both
  // sides, so its version does not matter.
  await tx.query(statement('set local search_path = pg_temp'))
  await tx.query(statement(baseline))
  const expected = await readCatalogue(tx)
  await tx.query(statement('rollback to savepoint before_baseline'))
  return expected.filter((fact) => !found.has(keyOf(fact)))
}

function keyOf({ table, kind, text }: Fact): string {
  return JSON.stringify([table, kind, text])
}

function describe(facts: readonly Fact[]): string {
  const shown = facts.slice(0, 3).map(({ table, text }) => `${table} lacks: ${text.replaceAll(/\s+/g, ' ')}`)
  const others = facts.length - shown.length
  return `${shown.join('; ')}.${others > 0 ? ` ${others} more are missing.` : ''}`
}
