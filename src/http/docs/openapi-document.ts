import { answerHeaders, headerComponents } from './openapi-headers.ts'
import { nameOf, nameSchemas } from './openapi-names.ts'
import { openLists } from './openapi-open-lists.ts'
import type { ApiDocument, ApiOperation } from './openapi-types.ts'
import { eventWebhooks, addEventDiscriminator } from './openapi-webhooks.ts'

/**
 * Completes the document that the framework generates from the routes' schemas: names for all schemas, answer headers,
 * descriptions, webhooks, open lists of values, and portable patterns. So the routes need not declare these.
 */
export function completeDocument(made: object): ApiDocument {
  // A copy, because parts of the document are the schemas that the server uses.
  const document = JSON.parse(JSON.stringify(made)) as ApiDocument
  for (const siblings of Object.values(document.paths))
    for (const operation of Object.values(siblings)) {
      operation.description ??= `${operation.summary}.`
      completeRequest(operation)
      completeAnswers(operation, Object.values(siblings))
    }
  document.webhooks = structuredClone(eventWebhooks)
  document.components.headers = headerComponents
  nameSchemas(document)
  addEventDiscriminator(document.components.schemas)
  openLists(document)
  return portable(document) as ApiDocument
}

function completeRequest({ parameters = [], requestBody }: ApiOperation): void {
  for (const parameter of parameters) {
    // Lists are separated by commas.
    if (parameter.schema.type === 'array') Object.assign(parameter, { style: 'form', explode: false })
  }
  const schema = requestBody?.content['application/json']?.schema
  if (requestBody === undefined || schema === undefined) return
  // As in strict-requests.ts: if no field is required, the body may be omitted.
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
 * The server compiles patterns with the `u` flag and uses Unicode classes. In the document they are limited to ECMA-262
 * without flags, which most languages understand. These patterns accept lone surrogates, which the server refuses.
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
