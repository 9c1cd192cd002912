import { wonFields } from '../prize-kinds/prize-kinds.ts'
import { wrapLines } from '../wrap-lines.ts'
import { catalogue } from './catalogue.ts'
import { type EventType, eventTypes } from './event-types.ts'

/** The parts of a schema that the description uses. */
type Described = {
  type?: string
  enum?: unknown[]
  anyOf?: Described[]
  items?: Described
  properties?: Record<string, Described>
  required?: string[]
  description?: string
  examples?: unknown[]
}

const begin = '<!-- From here on it is made from src/events/catalogue.ts by `npm run docs`. -->'

/** The page with its hand-written part unchanged and the catalogue generated from the code. */
export function withCatalogue(page: string): string {
  return `${page.split(begin, 1)[0]}${begin}\n\n${eventTypes.map(section).join('\n')}`
}

function section(type: EventType): string {
  const { title, data } = catalogue[type]
  const { properties = {}, required = [] } = data as Described
  const rows = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : ' (optional)'
    return `| \`${name}\`${mark} | ${kindOf(field)} | ${field.description ?? ''} |`
  })
  const table = rows.length === 0 ? [] : ['| field | type | what |', '| --- | --- | --- |', ...rows, '']
  const example = JSON.stringify(sampleOf(type), null, 2)
  return [`### ${type}`, '', ...wrapLines(title, 118), '', ...table, '```json', example, '```', ''].join('\n')
}

function kindOf(schema: Described): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(kindOf).join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (schema.items !== undefined) return `list of ${kindOf(schema.items)}`
  return schema.type ?? 'any'
}

/** An example payload, composed of the examples of its fields. A won prize has only the field of its kind, a code. */
export function sampleOf(type: EventType): object {
  const others: string[] =
    type === 'prize.won' ? ['number', ...wonFields.filter((field) => field !== 'code')] : []
  const sample = Object.entries(exampleOf(catalogue[type].data as Described) as object)
  return Object.fromEntries(sample.filter(([name]) => !others.includes(name)))
}

function exampleOf(schema: Described): unknown {
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0])
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.properties === undefined) return null
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(field)]),
  )
}
