import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const needed = ['bin', 'src', 'sql', 'web', 'packages', 'package.json']

/** The sources of an earlier version. Its packages and built pages are those of this one. */
export function checkOut(commit: string): string {
  // Not in node_modules, where Node refuses TypeScript.
  const sources = join(tmpdir(), `wheelhouse-${commit}`)
  rmSync(sources, { recursive: true, force: true })
  mkdirSync(sources, { recursive: true })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 28 })
  const had = git('ls-tree', '--name-only', commit).toString().split('\n')
  const paths = needed.filter((path) => had.includes(path))
  execFileSync('tar', ['-x', '-C', sources], { input: git('archive', commit, ...paths) })
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  for (const page of ['console', 'embed', 'embed/preview', 'game', 'game/wallet']) {
    const [built, copy] = [join(root, 'web', page, 'dist'), join(sources, 'web', page, 'dist')]
    if (existsSync(built)) cpSync(built, copy, { recursive: true })
  }
  return sources
}
