import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')
const commitPattern = /^[0-9a-f]{40}$/

export type Build = { version: string; commit: string | null }

/** The version of this Wheelhouse. */
export function wheelhouseVersion(): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

/** Tells builds of the same version apart. `folder` has the sources. */
export function readBuild(folder = root): Build {
  return { version: wheelhouseVersion(), commit: writtenCommit(folder) ?? commitOfClone(folder) }
}

/** `0.2.0 (3ba6f67d0c1e)`, or the version alone if the commit is unknown. */
export function describeBuild({ version, commit }: Build): string {
  return commit === null ? version : `${version} (${commit.slice(0, 12)})`
}

/** `git archive` fills in the file by its attribute `export-subst`, and the build of the image replaces it. */
function writtenCommit(folder: string): string | null {
  return asCommit(readIfThere(join(folder, 'src', 'commit.txt')))
}

/** Read from its files: git may be missing, and refuses a clone of another user. */
function commitOfClone(folder: string): string | null {
  const entry = join(folder, '.git')
  if (!existsSync(entry)) return null
  // In a further work tree it is a file that names the folder, and the branches are in the folder of the clone.
  const linked = statSync(entry).isFile() ? /^gitdir: (.+)$/m.exec(readIfThere(entry))?.[1] : undefined
  const gitFolder = linked === undefined ? entry : resolve(folder, linked)
  const commonFolder = resolve(gitFolder, readIfThere(join(gitFolder, 'commondir')).trim())
  const head = readIfThere(join(gitFolder, 'HEAD'))
  const branch = /^ref: (.+)$/m.exec(head)?.[1]
  if (branch === undefined) return asCommit(head)
  const packed = readIfThere(join(commonFolder, 'packed-refs')).split('\n')
  return (
    asCommit(readIfThere(join(commonFolder, branch))) ??
    asCommit(packed.find((line) => line.endsWith(` ${branch}`))?.slice(0, 40) ?? '')
  )
}

function asCommit(text: string): string | null {
  return commitPattern.test(text.trim()) ? text.trim() : null
}

/** An unreadable file is as good as none: a server must not fail because of this. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
