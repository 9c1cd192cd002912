import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mistake } from '../mistake.ts'

type Named = { name: string; sha256: string }

const sumsFile = join(import.meta.dirname, '..', '..', 'sql', 'SHA256SUMS')

/**
 * Texts that migrations had on main before their comments were edited. The statements are the same, so databases that
 * were made with them can be upgraded. No further text may be added: a migration on main is never edited.
 */
const earlierTexts: Readonly<Record<string, string>> = {
  '0011-ledger-seals.sql': 'f69dc2ca5117552636ef165871c22a47b4d07916da57d2d373ad7bcd66f1c3d4',
  '0014-staff-grants.sql': '46efd99c6a7816206ee278eaffe6a9caefa89c52112946f42e2e9cd899f4e822',
  '0015-event-erasures.sql': '6abf7a9e84ad8b44519b94a40fd7ff12f396d9a119cabd0c51fa55092dfcd255',
  '0016-webhook-turns.sql': 'ad4657f36125e4d5ab6878751e388b52d48d5f2617b1e8aee0368ee3b86f603e',
  '0017-webhook-resends.sql': '0de23ef557355d4cecc754ef869ef607fa0c57fa2651a2888ac3882bd0999b6a',
  '0018-sign-in-methods.sql': '553b434c1129032714780b45de803718ecf39d841de8b269c43f29b12e9ad7d3',
}

/** Fails if a file of this installation is not the one that was released. What it would do is then unknown. */
export function refuseEditedFiles(migrations: readonly Named[]): void {
  const sums = landedSums()
  const edited = migrations.find(({ name, sha256 }) => (sums.get(name) ?? sha256) !== sha256)
  if (edited === undefined) return
  throw new Mistake(
    `The file sql/${edited.name} of this installation was edited, so this Wheelhouse does not use it. ` +
      'The database was not changed, and its data is not in danger. Install this version again: in a clone ' +
      '`git checkout -- sql`, otherwise its image or archive.',
  )
}

/** Fails if the migration was applied to the database with a text that this version does not know. */
export function refuseUnknownText({ name, sha256 }: Named, applied: Named): void {
  if (applied.sha256 === sha256 || applied.sha256 === earlierTexts[name]) return
  throw new Mistake(
    `The database was made by a development build or a modified Wheelhouse: this version does not know its ` +
      `migration ${applied.name} (SHA-256 ${applied.sha256.slice(0, 12)}…). The database was not changed, and its ` +
      'data is not in danger. Start the build that made it, or restore a backup that a release made. ' +
      'docs/install.md, Updates, says more.',
  )
}

/** The hashes of all migrations on main, by their names. The file is in the format of `sha256sum`. */
function landedSums(): ReadonlyMap<string, string> {
  const lines = readFileSync(sumsFile, 'utf8').trimEnd().split('\n')
  return new Map(lines.map((line) => line.split('  ').toReversed() as [string, string]))
}
