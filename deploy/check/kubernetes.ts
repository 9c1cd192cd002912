import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { Check } from './check.ts'

type Manifest = { apiVersion: string; kind: string; metadata?: { name?: string } }

const overlays = ['embedded', 'external-database']

/**
 * Validates each manifest, and what kustomize builds from them, by the schemas of Kubernetes and of the Prometheus
 * Operator. Their validators ignore unknown fields; the types of the same packages don't.
 */
export function checkManifests(folder: string): Check[] {
  const files = globSync('*/*.yaml', { cwd: folder })
    .toSorted()
    .filter((file) => basename(file) !== 'kustomization.yaml')
  return [
    {
      name: 'every Kubernetes manifest fits its schema',
      run: () => validate(files.flatMap((file) => read(readFileSync(join(folder, file), 'utf8')))),
    },
    ...overlays.map((overlay) => ({
      name: `deploy/kubernetes/${overlay}, built by kustomize, fits the schemas`,
      tool: 'kustomize',
      run: () => validate(build(join(folder, overlay))),
    })),
  ]
}

const read = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest)

function build(overlay: string): Manifest[] {
  return read(execFileSync('kustomize', ['build', overlay], { encoding: 'utf8' }))
}

async function validate(manifests: Manifest[]): Promise<string> {
  for (const manifest of manifests) await validateBySchema(manifest)
  validateByTypes(manifests)
  return manifests.map(({ kind }) => kind).join(', ')
}

async function validateBySchema(manifest: Manifest): Promise<void> {
  const models = (await import(moduleOf(manifest))) as Record<
    string,
    new (data: object) => { validate(): void }
  >
  const Model = models[manifest.kind]
  if (Model === undefined) throw new Error(`There is no schema for ${manifest.apiVersion} ${manifest.kind}.`)
  try {
    new Model(manifest).validate()
  } catch (error) {
    throw new Error(`${manifest.kind} ${manifest.metadata?.name}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Writes the manifests as literals of their types, and lets the compiler look for unknown fields. */
function validateByTypes(manifests: Manifest[]): void {
  const lines = manifests.map(
    (manifest, index) =>
      `const manifest${index}: import('${moduleOf(manifest)}').I${manifest.kind} = ${JSON.stringify(manifest)}\n`,
  )
  const folder = join(import.meta.dirname, 'node_modules', '.manifests')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'manifests.mts')
  writeFileSync(file, lines.join(''))
  const compiler = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'tsc')
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '']
  try {
    execFileSync(compiler, [...flags, '--ignoreConfig', file], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error })
  }
}

function moduleOf({ apiVersion, kind }: Manifest): string {
  const isOperator = apiVersion.startsWith('monitoring.coreos.com/')
  return `${isOperator ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}/${kind}`
}
