import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mistake } from '../mistake.ts'

/** A step of the schema. The first one is the baseline, which is made of several files. */
export type Migration = {
  version: number
  name: string
  text: string
  sha256: string
  parts?: readonly File[]
}

/** A file of `sql`, by its path in there. */
type File = { name: string; text: string; sha256: string }

/** The schema version that the baseline makes: that of 0.3.0, whose 48 migrations it replaces. */
export const baselineVersion = 48

const folder = join(import.meta.dirname, '..', '..', 'sql')

/** The baseline, and the files `sql/0049-….sql` in order. A gap or a duplicate number is a bug of ours. */
export function readMigrations(): Migration[] {
  const parts = namesIn(join(folder, 'baseline')).map((name) => readFile(`baseline/${name}`))
  const text = parts.map((part) => part.text).join('\n')
  const baseline = { version: baselineVersion, name: 'baseline', text, sha256: hashOf(text), parts }
  const later = namesIn(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .map((name, index) => {
      const version = baselineVersion + 1 + index
      if (Number(name.slice(0, 4)) !== version) throw new Error(`sql/${name} should have number ${version}`)
      return { version, ...readFile(name) }
    })
  return [baseline, ...later]
}

/** The newest schema version that this program knows. */
export function newestVersion(): number {
  return readMigrations().at(-1)?.version ?? 0
}

/** Fails if a file of this installation is not the one that was released. What it would do is then unknown. */
export function refuseEditedFiles(migrations: readonly Migration[]): void {
  const sums = landedSums()
  const files = migrations.flatMap((migration) => migration.parts ?? [migration])
  const edited = files.find(({ name, sha256 }) => (sums.get(name) ?? sha256) !== sha256)
  if (edited === undefined) return
  throw new Mistake(
    `The file sql/${edited.name} of this installation was edited, so this Wheelhouse does not use it. ` +
      'The database was not changed, and its data is not in danger. Install this version again: in a clone ' +
      '`git checkout -- sql`, otherwise its image or archive.',
  )
}

function namesIn(path: string): string[] {
  return readdirSync(path)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
}

function readFile(name: string): File {
  const text = readFileSync(join(folder, name), 'utf8')
  return { name, text, sha256: hashOf(text) }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The hashes of all files on main, by their names. The file is in the format of `sha256sum`. */
function landedSums(): ReadonlyMap<string, string> {
  const lines = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  return new Map(lines.map((line) => line.split('  ').toReversed() as [string, string]))
}
