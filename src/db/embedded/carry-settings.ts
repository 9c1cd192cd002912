import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { ClusterShell } from './cluster.ts'

/** Settings that an operator has added to `postgresql.conf`, or set with `alter system`. */
type FileSetting = { name: string; setting: string }

export async function readFileSettings(client: pg.Client): Promise<FileSetting[]> {
  return (await client.query<FileSetting>(selectFileSettings)).rows
}

/** Repeats them in a new cluster, where they differ. Returns the names of those that the new version does not know. */
export function carrySettings(
  settings: readonly FileSetting[],
  folder: string,
  { bin, account }: ClusterShell,
): string[] {
  const file = join(folder, 'postgresql.conf')
  const made = new Map(
    [...readFileSync(file, 'utf8').matchAll(/^(\w+)\s*=\s*'?([^'#\n]*?)'?\s*(?:#.*)?$/gm)].map(
      ([, name, value]) => [name as string, value as string],
    ),
  )
  const different = settings.filter(({ name, setting }) => made.get(name) !== setting)
  const known = knownNames(bin, account)
  // A name with a dot belongs to an extension.
  const usable = different.filter(({ name }) => known.has(name) || name.includes('.'))
  const lines = usable.map(({ name, setting }) => `${name} = '${setting.replaceAll("'", "''")}'\n`)
  if (lines.length > 0) appendFileSync(file, `\n# From the cluster before the upgrade.\n${lines.join('')}`)
  return different.filter((one) => !usable.includes(one)).map(({ name }) => name)
}

function knownNames(bin: string, account: ClusterShell['account']): Set<string> {
  const text = execFileSync(join(bin, 'postgres'), ['--describe-config'], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
  return new Set(text.split('\n').map((line) => line.split('\t')[0] ?? ''))
}

const selectFileSettings = `
select name, setting
from pg_file_settings
where error is null
and setting is not null
order by seqno`
