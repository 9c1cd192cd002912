/** The parts of an OpenAPI schema from which requests are made and answers are checked. References are resolved. */
export type Schema = {
  type?: string | string[]
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

export type Operation = {
  operationId: string
  method: string
  path: string
  credential: 'token' | 'session' | 'none'
  parameters: Parameter[]
  needsBody: boolean
  body: Record<string, { schema?: Schema }>
  responses: Record<
    string,
    { headers?: Record<string, { required?: boolean }>; content?: Record<string, { schema?: Schema }> }
  >
}

export function readDocument(document: any): Operation[] {
  const whole = resolveReferences(document)
  return Object.entries(whole.paths as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path,
      credential: credentialOf(operation.security),
      parameters: operation.parameters ?? [],
      needsBody: operation.requestBody?.required === true,
      body: operation.requestBody?.content ?? {},
      responses: operation.responses,
    })),
  )
}

function credentialOf(security: Record<string, unknown>[] | undefined): Operation['credential'] {
  const schemes = (security ?? []).flatMap((one) => Object.keys(one))
  if (schemes.includes('serviceToken')) return 'token'
  return schemes.includes('staffSession') ? 'session' : 'none'
}

/** The document, or a part of it, with every reference replaced by its target. */
export function resolveReferences(document: any, value: any = document): any {
  if (Array.isArray(value)) return value.map((one) => resolveReferences(document, one))
  if (typeof value !== 'object' || value === null) return value
  if (typeof value.$ref === 'string') {
    const steps = (value.$ref as string).split('/').slice(1)
    return resolveReferences(
      document,
      steps.reduce((place, step) => place[step], document),
    )
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, resolveReferences(document, one)]),
  )
}
