// `npm run release [-- linux-x64 …]`: makes the files that operators download, of the commit that is checked out. For
// each platform there is an archive with Node, PostgreSQL, the built pages and the packages of production, and its bill
// of materials; SHA256SUMS lists them all. Needs Linux with GNU tar, and Debian's apt-get for archives for Linux.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packArchive, writeChecksums } from './archive.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { addLibatomic } from './libatomic.ts'
import { checkNativeFiles } from './native-files.ts'
import { addPackages } from './packages.ts'
import { chosenPlatforms } from './platforms.ts'
import { addSources, checkOutHead } from './sources.ts'

const repository = join(import.meta.dirname, '..', '..')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: 'string', default: join(repository, 'release') } },
})
const platforms = chosenPlatforms(positionals)
const work = mkdtempSync(join(tmpdir(), 'wheelhouse-release-'))
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
try {
  if (git('status', '--porcelain') !== '') console.error('Uncommitted changes are left out.')
  const seconds = Number(git('show', '--no-patch', '--format=%ct', 'HEAD'))
  console.log(`Building the pages of ${git('rev-parse', '--short=12', 'HEAD')} …`)
  const source = checkOutHead(repository, join(work, 'source'))
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string }
  mkdirSync(values.to, { recursive: true })
  const made: string[] = []
  for (const platform of platforms) {
    const name = `wheelhouse-${version}-${platform.name}`
    console.log(`Making ${name} …`)
    const folder = join(work, name)
    addSources(source, folder)
    const installed = addPackages(source, folder, platform)
    const libraries = platform.os === 'linux' ? addLibatomic(folder, platform) : []
    checkNativeFiles(folder, platform)
    const at = new Date(seconds * 1000)
    const bill = billOfMaterials(source, folder, { platform, installed, libraries, at })
    writeFileSync(join(folder, 'sbom.cdx.json'), bill)
    writeFileSync(join(values.to, `${name}.cdx.json`), bill)
    packArchive(folder, { archive: join(values.to, `${name}.tar.gz`), seconds })
    made.push(`${name}.tar.gz`, `${name}.cdx.json`)
    rmSync(folder, { recursive: true })
  }
  await writeChecksums(values.to, made)
} finally {
  rmSync(work, { recursive: true, force: true })
}
