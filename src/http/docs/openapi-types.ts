/** The parts of an OpenAPI document that we change. */
export type ApiDocument = {
  paths: Record<string, Record<string, ApiOperation>>
  webhooks?: Record<string, Record<string, ApiOperation>>
  components: { schemas: Record<string, ApiSchema>; headers?: Record<string, object> }
}
export type ApiOperation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: Record<string, string[]>[]
  parameters?: ApiParameter[]
  requestBody?: { required: boolean; description?: string; content: ApiContent }
  responses: Record<string, ApiResponse>
}
type ApiParameter = {
  name: string
  in: string
  schema: ApiSchema
  description?: string
  required?: boolean
  style?: string
  explode?: boolean
}
type ApiResponse = { description: string; headers?: Record<string, object>; content?: ApiContent }
type ApiContent = Record<string, { schema: ApiSchema }>
export type ApiSchema = { [keyword: string]: unknown }
