// `npm run client:types`: writes the parts of the clients that are made from the code: for JavaScript the types of
// every operation from the OpenAPI document, the codes of refusals, and the events of the catalogue with a sample of
// each; for Python and PHP the names in `client-names.ts`.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseConfig } from '../src/config.ts'
import { makeContext } from '../src/context.ts'
import { Database } from '../src/db/database.ts'
import { catalogue } from '../src/events/catalogue.ts'
import { sampleOf } from '../src/events/catalogue-page.ts'
import { eventTypes } from '../src/events/event-types.ts'
import { buildApp } from '../src/http/app.ts'
import { makeLog } from '../src/log.ts'
import { refusals } from '../src/refusals.ts'
import { clientNames } from './client-names.ts'
import { installPackages } from './install-packages.ts'

const repository = join(import.meta.dirname, '..')
export const packagesFolder = join(repository, 'packages')
const forJavaScript = 'client/src/generated'
const heading = '// Made from the code of the server by `npm run client:types`. Do not edit.\n'
const methods = ['get', 'put', 'post', 'patch', 'delete'] as const

if (import.meta.main) {
  installPackages('test/openapi-tools')
  for (const [name, text] of Object.entries(await makeClientTypes()))
    writeFileSync(join(packagesFolder, name), text)
}

/** The text of each generated file, by its path below `packages`. */
export async function makeClientTypes(): Promise<Record<string, string>> {
  const { documents, texts } = await clientSources()
  for (const [name, { heading: start, document, end }] of Object.entries(documents))
    texts[name] = start + (await typesOf(document)) + end
  return texts
}

/** The files that need no generator, and the documents that it makes the others from. */
export async function clientSources() {
  const document = forServiceTokens(await makeDocument())
  const codes = Object.keys(refusals)
  const keyed = keyedOperations(document)
  const texts: Record<string, string> = {
    [`${forJavaScript}/sample-data.ts`]: `${heading}import type { EventData } from './event-data.ts'\n\nexport const sampleData: EventData = ${JSON.stringify(sampleData(), null, 2)}\n`,
    [`${forJavaScript}/refusal-codes.ts`]: `${heading}export type RefusalCode =\n${codes.map((code) => `  | '${code}'`).join('\n')}\n`,
    [`${forJavaScript}/keyed-operations.ts`]: `${heading}export const keyedOperations = [\n${keyed.map((one) => `  '${one}',`).join('\n')}\n] as const\n`,
    ...clientNames({ codes, eventTypes, keyed }),
  }
  const documents = {
    [`${forJavaScript}/api.ts`]: hashed(document, ''),
    [`${forJavaScript}/event-data.ts`]: hashed(
      eventDocument(),
      "export type EventData = components['schemas']['EventData']\n",
    ),
  }
  return { documents, texts }
}

/** By the hash, a test finds outdated types without the generator, which takes 60 MB. */
function hashed(document: Document, end: string) {
  const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex')
  return { heading: `${heading}// SHA-256 of the document: ${hash}\n`, document, end }
}

type Operation = {
  security?: object[]
  parameters?: { name: string; in: string }[]
  responses: Record<string, { content?: Record<string, object> }>
}
type Document = {
  openapi: string
  info: object
  paths: Record<string, Partial<Record<(typeof methods)[number], Operation>>>
  components: { schemas: Record<string, object> }
}

/** The OpenAPI document of a server that never listens, on a database that it never asks. */
async function makeDocument(): Promise<Document> {
  const db = new Database({
    targets: [],
    poolMax: 1,
    pooler: false,
    statementTimeoutMs: 1_000,
    lockTimeoutMs: 1_000,
    idleInTransactionTimeoutMs: 1_000,
    applicationName: 'client-types',
    onConnectionError: () => undefined,
  })
  const config = parseConfig({ LOG_LEVEL: 'silent' })
  const ctx = makeContext({ config, db, log: makeLog('silent'), now: () => new Date() })
  const app = await buildApp(ctx)
  await app.ready()
  const document = app.swagger() as unknown as Document
  await app.close()
  await ctx.close()
  await db.close()
  return closed(document) as Document
}

/**
 * Undoes what the document does for validators (src/http/docs/openapi-open-lists.ts). A type lists what this version of
 * the client knows: with any text added, a misspelt state or event type would pass unnoticed.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, ...rest } = value as { anyOf?: { $ref?: string; type?: string }[] }
  const [known, more, ...others] = anyOf ?? []
  const isOpen =
    more?.$ref === '#/components/schemas/UnknownEvent' || JSON.stringify(more) === '{"type":"string"}'
  if (known !== undefined && isOpen && others.length === 0) return { ...rest, ...known }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, closed(one)]))
}

/**
 * The operations that take a service token and answer with JSON, without refusals and headers: the client handles
 * those.
 */
function forServiceTokens(document: Document): Document {
  const paths: Document['paths'] = {}
  for (const [path, item] of Object.entries(document.paths))
    for (const method of methods) {
      const operation = item[method]
      const answer = operation?.responses[200]
      const json = answer?.content?.['application/json']
      const isForTokens = operation?.security?.some((one) => 'serviceToken' in one)
      if (operation === undefined || json === undefined || isForTokens !== true) continue
      const { headers: _, ...described } = { headers: {}, ...answer }
      const responses = { 200: { ...described, content: { 'application/json': json } } }
      paths[path] = { ...paths[path], [method]: { ...operation, responses } }
    }
  const { openapi, info, components } = document
  return { openapi, info, paths, components: { schemas: usedSchemas(paths, components.schemas) } }
}

function usedSchemas(paths: object, schemas: Record<string, object>): Record<string, object> {
  const used = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name as string)) continue
      used.add(name as string)
      follow(schemas[name as string])
    }
  }
  follow(paths)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

function keyedOperations({ paths }: Document): string[] {
  const takesKey = ({ parameters = [] }: Operation) =>
    parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key')
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      takesKey(operation) ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  )
}

/** A document with nothing but the data of every event, by type. */
function eventDocument(): Document {
  const types = Object.keys(catalogue)
  const properties = Object.fromEntries(
    Object.entries(catalogue).map(([type, { title, data }]) => [type, { ...data, description: title }]),
  )
  const EventData = { type: 'object', properties, required: types }
  return {
    openapi: '3.1.1',
    info: { title: 'Events', version: '1' },
    paths: {},
    components: { schemas: { EventData } },
  }
}

/** The data of a sample event of each type, composed of the examples of the catalogue. */
function sampleData(): Record<string, object> {
  return Object.fromEntries(eventTypes.map((type) => [type, sampleOf(type)]))
}

/** The generator needs an older TypeScript than ours, which is installed beside it. */
async function typesOf(document: Document): Promise<string> {
  const require = createRequire(join(repository, 'test', 'openapi-tools', 'package.json'))
  const generator = require('openapi-typescript') as {
    default: (document: object, options: object) => Promise<unknown>
    astToString: (nodes: unknown) => string
  }
  const nodes = await generator.default(structuredClone(document), { silent: true })
  // Fields that say what an operation does not have. Nothing needs them, and they are a tenth of the package's types.
  return generator.astToString(nodes).replaceAll(/^ +\w+\?: never;\n/gm, '')
}
