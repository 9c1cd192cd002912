import { Mistake } from './mistake.ts'

/** A sentence for errors of the file system that the operator can fix. Others stay as they are. */
export function explainFileError(error: unknown, folder = 'the given path'): unknown {
  if (!(error instanceof Error)) return error
  const { code = '', path = folder, syscall = '' } = error as NodeJS.ErrnoException
  // Sockets and processes have errors with the same codes.
  if (/^(?:connect|listen|bind|spawn|kill)/.test(syscall)) return error
  const sentence = sentences[code]?.(path)
  return sentence === undefined ? error : new Mistake(sentence, { cause: error })
}

const sentences: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no ${path}, or its folder is missing. Check the path.`,
  ENOTDIR: (path) => `A part of the path ${path} is not a folder. Check the path.`,
  EISDIR: (path) => `A file is needed, but ${path} is a folder.`,
  EEXIST: (path) => `${path} is in the way: it exists already. Choose another path.`,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: (path) =>
    `The file system of ${path} is read-only. A disk error may be the cause: see the log of the system.`,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
}

function notAllowed(path: string): string {
  return `The user with the id ${process.getuid?.()} may not use ${path}. Run this as the owner of the file, or change its permissions.`
}

function diskFull(path: string): string {
  return `There is no space left on the disk of ${path}. Free some, and try again.`
}
