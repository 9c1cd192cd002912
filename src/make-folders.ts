import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Mistake } from './mistake.ts'

/** Makes a folder, and those above it that are missing. True if it did not exist. Node's way never ends below /proc. */
export function makeFolders(path: string, mode?: number): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false
  const above = dirname(path)
  if (statSync(above, { throwIfNoEntry: false }) === undefined && above !== path) makeFolders(above, mode)
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    const found = statSync(path, { throwIfNoEntry: false })
    // Another process was faster.
    if (found?.isDirectory() === true) return false
    if (found !== undefined)
      throw new Mistake(`${path} is not a folder. Choose another path.`, { cause: error })
    // Such as /proc. The folder above exists, so nothing that could be made is missing.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Mistake(`The file system of ${above} allows no new folders. Choose another path.`, {
        cause: error,
      })
    throw error
  }
}
