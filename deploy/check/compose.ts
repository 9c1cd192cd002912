import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Check } from './check.ts'

/** Validates compose.yaml by the schema of the Compose Specification, which the package dclint contains. */
export function checkCompose(repository: string): Check {
  return {
    name: 'compose.yaml fits the Compose Specification',
    run: async () => {
      const schemaFile = join(import.meta.dirname, 'node_modules', 'dclint', 'schemas', 'compose.schema.json')
      const { Ajv } = await import('ajv')
      const ajv = new Ajv({ strict: false, allErrors: true, formats: { duration: true } })
      const { $schema: _draft, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8')) as {
        $schema: string
      }
      const validate = ajv.compile(schema)
      const compose = parse(readFileSync(join(repository, 'compose.yaml'), 'utf8')) as { services: object }
      if (!validate(compose)) throw new Error(ajv.errorsText(validate.errors, { separator: '\n' }))
      return `services ${Object.keys(compose.services).join(', ')}`
    },
  }
}
