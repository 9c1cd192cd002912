import { answerHeaders, headerComponents } from './openapi-headers.ts'
import { nameOf, nameSchemas } from './openapi-names.ts'
import type { ApiDocument, ApiOperation } from './openapi-types.ts'
import { eventWebhooks, tellEventsApart } from './openapi-webhooks.ts'

/**
 * Completes what the framework makes of the routes' schemas: names for all shapes, the headers of answers, descriptions,
 * the webhooks, and patterns that every language can read. Routes need to say nothing of it.
 */
export function completeDocument(made: object): ApiDocument {
  // A copy: parts of it are the schemas that the server itself works with.
  const document = JSON.parse(JSON.stringify(made)) as ApiDocument
  for (const siblings of Object.values(document.paths))
    for (const operation of Object.values(siblings)) {
      operation.description ??= `${operation.summary}.`
      completeRequest(operation)
      completeAnswers(operation, Object.values(siblings))
    }
  document.webhooks = eventWebhooks
  document.components.headers = headerComponents
  nameSchemas(document)
  tellEventsApart(document.components.schemas)
  return portable(document) as ApiDocument
}

function completeRequest({ parameters = [], requestBody }: ApiOperation): void {
  for (const parameter of parameters) {
    // Lists come with commas between.
    if (parameter.schema.type === 'array') Object.assign(parameter, { style: 'form', explode: false })
  }
  const schema = requestBody?.content['application/json']?.schema
  if (requestBody === undefined || schema === undefined) return
  // As in strict-requests.ts: where no field is required, the body may be left out.
  const { required = [], properties } = schema as { required?: string[]; properties?: object }
  requestBody.required = properties === undefined || required.length > 0
}

function completeAnswers(operation: ApiOperation, siblings: readonly ApiOperation[]): void {
  for (const [status, response] of Object.entries(operation.responses)) {
    const schema = response.content?.['application/json']?.schema
    if (response.description === 'Default Response')
      response.description =
        schema === undefined ? 'Success.' : `Success, with \`${nameOf(schema, operation, 'Answer')}\`.`
    response.headers = { ...answerHeaders(status, operation, siblings), ...response.headers }
  }
}

/**
 * Our own patterns are read with the `u` flag, and know classes of Unicode. In the document they keep to what ECMA-262
 * without flags and most other languages understand. They then let lone surrogates pass, which the server refuses.
 */
function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === 'pattern' && typeof one === 'string' ? portablePattern(one) : portable(one),
    ]),
  )
}

function portablePattern(pattern: string): string {
  return pattern.replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f').replaceAll('\\p{Cs}', '')
}
