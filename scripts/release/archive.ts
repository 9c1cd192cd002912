import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The same files make the same archive: entries are sorted, and have one time, one owner and regular modes. */
export function packArchive(
  folder: string,
  { archive, seconds }: { archive: string; seconds: number },
): void {
  const fixed = ['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner']
  const options = ['--format=gnu', '--mode=u=rwX,go=rX', '--use-compress-program=gzip -9 --no-name', ...fixed]
  execFileSync('tar', [
    '--create',
    ...options,
    `--file=${archive}`,
    `--directory=${dirname(folder)}`,
    basename(folder),
  ])
  console.log(`${archive}: ${Math.round(statSync(archive).size / 1e6)} MB`)
}

export async function writeChecksums(folder: string, names: readonly string[]): Promise<void> {
  const lines: string[] = []
  for (const name of names.toSorted()) {
    const hash = createHash('sha256')
    for await (const part of createReadStream(join(folder, name))) hash.update(part as Buffer)
    lines.push(`${hash.digest('hex')}  ${name}\n`)
  }
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}
