import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const shipped = [
  '.env.example',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'bin',
  'deploy/monitoring',
  'deploy/systemd',
  'docs',
  'packages/client/package.json',
  'packages/client/src',
  'sql',
  'src',
]

/** The files of the checked-out commit, with its packages installed and its pages built. */
export function checkOutHead(repository: string, folder: string): string {
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: repository, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  execFileSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return folder
}

/** The files of our own that a server needs or serves, and the launcher. */
export function addSources(source: string, folder: string): void {
  for (const path of [...shipped, ...globSync('web/{*,embed/preview,game/wallet}/dist', { cwd: source })]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(source, path), join(folder, path), { recursive: true })
  }
  symlinkSync('bin/wheelhouse', join(folder, 'wheelhouse'))
  writeManifest(source, folder)
}

/** Without what only a clone can use. */
function writeManifest(source: string, folder: string): void {
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Record<string, unknown>
  for (const field of ['allowScripts', 'devDependencies', 'overrides', 'scripts', 'workspaces'])
    delete manifest[field]
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
