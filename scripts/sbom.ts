// `npm run sbom`: prints the bill of materials of production, on all platforms, as CycloneDX.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Component = {
  'bom-ref': string
  type: string
  name: string
  version?: string
  components?: Omit<Component, 'bom-ref'>[]
  [field: string]: unknown
}
type Bill = {
  serialNumber?: string
  metadata: { timestamp: string; component: Component; lifecycles: object[] }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}
type Packages = Record<string, { name?: string; version?: string; dev?: boolean; link?: boolean }>

if (import.meta.main) {
  const repository = join(import.meta.dirname, '..')
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Packages
  }
  console.log(JSON.stringify(billOfPackages(repository, namesOfPackages(packages)), null, 2))
}

/** The packages of a lock file that production needs, as `name@version`. */
export function namesOfPackages(packages: Packages): Set<string> {
  return new Set(
    Object.entries(packages)
      .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
      .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`),
  )
}

/**
 * npm's bill of materials of the lock file in `folder`, with these packages only. `npm sbom --omit=dev` omits too many.
 */
export function billOfPackages(folder: string, names: ReadonlySet<string>): Bill {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']
  const output = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const bill = JSON.parse(output) as Bill
  const nameOf = ({ name, version }: Component) => `${name}@${version}`
  bill.components = bill.components.filter((component) => names.has(nameOf(component)))
  const listed = new Set(bill.components.map(nameOf))
  assert.deepEqual(
    [...names].filter((name) => !listed.has(name)),
    [],
    'every package is listed',
  )
  const root = bill.metadata.component
  // npm calls it by the name of the folder.
  Object.assign(root, { type: 'application', name: 'wheelhouse' })
  const kept = new Set([root, ...bill.components].map((component) => component['bom-ref']))
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }))
  return bill
}
