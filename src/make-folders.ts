import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a folder, and those above it that are missing. True if it did not exist. Node's own way never ends below /proc. */
export function makeFolders(path: string, mode?: number): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false
  const above = dirname(path)
  if (statSync(above, { throwIfNoEntry: false }) === undefined && above !== path) makeFolders(above, mode)
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    // Another process was faster.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false
    throw error
  }
}
