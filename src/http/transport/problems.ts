import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import type { Context } from '../../context.ts'
import { DatabaseFailure } from '../../db/database-fault.ts'
import { bodyBytesMax, validationErrorsShownMax } from '../../limits.ts'
import { type FieldError, Refusal, type RefusalCode, refusalText, type ResumePlace } from '../../refusals.ts'
import { formatDetails, patternDetails } from '../answers/patterns.ts'
import { type JsonSchema, pointerTo, unknownDetail, unknownFields } from './unknown-fields.ts'

/** A problem document (RFC 9457) with our own fields `code`, `requestId` and `retryable`. */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: RefusalCode
  requestId: string
  retryable: boolean
  errors?: readonly FieldError[]
  secondFactor?: object
  attemptsLeft?: number
} & Partial<ResumePlace>

export const problemContentType = 'application/problem+json; charset=utf-8'

export function makeProblem(refusal: Refusal, where: { publicUrl: string; requestId: string }): Problem {
  const text = refusalText(refusal.code)
  return {
    type: `${where.publicUrl}/docs/errors#${refusal.code}`,
    title: text.title,
    status: text.status,
    detail: refusal.detail ?? text.cause,
    code: refusal.code,
    requestId: where.requestId,
    retryable: text.retryable === true,
    ...(refusal.errors === undefined ? {} : { errors: refusal.errors }),
    ...refusal.resume,
    ...(refusal.secondFactor === undefined ? {} : { secondFactor: refusal.secondFactor }),
    ...(refusal.attemptsLeft === undefined ? {} : { attemptsLeft: refusal.attemptsLeft }),
  }
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { publicUrl } = request.server.ctx.config
  const problem = makeProblem(refusal, { publicUrl, requestId: request.id })
  request.problem = { code: problem.code, detail: problem.detail }
  if (problem.status === 401) reply.header('WWW-Authenticate', 'ServiceToken realm="wheelhouse"')
  return reply
    .code(problem.status)
    .headers(refusal.headers)
    .type(problemContentType)
    .send(JSON.stringify(problem))
}

/** The refusal for an error of any kind. */
export function toRefusal(error: unknown, request?: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof DatabaseFailure && error.isPassing) {
    return new Refusal('database_unavailable', { cause: error })
  }
  const { validation, validationContext, code, statusCode } = error as FastifyError
  if (validationContext === 'headers' && validation !== undefined) {
    if (validation.some((one) => one.instancePath === '/idempotency-key'))
      return new Refusal('idempotency_key_malformed')
    if (validation.some((one) => one.params.missingProperty === 'idempotency-key'))
      return new Refusal('idempotency_key_missing')
  }
  if (validation !== undefined && request !== undefined) {
    return validationRefusal(validation, validationContext, request)
  }
  if (code === 'FST_ERR_BAD_URL')
    return new Refusal('request_malformed', { detail: 'The path must be UTF-8, percent-encoded.' })
  return new Refusal(frameworkCodes[code ?? ''] ?? byStatus(statusCode), { cause: error })
}

/** Logs errors with their stack. Overload has only its request line. An outage must not fill the disk either. */
export function logUnexpected(
  ctx: Context,
  requestId: string,
  error: unknown,
  refusal = toRefusal(error),
): void {
  const { code } = refusal
  const isLogged =
    code === 'internal_error' ||
    (code === 'database_unavailable' && ctx.refusalLog.admits('any', code, undefined))
  if (isLogged) ctx.log.error({ requestId, error }, code)
}

const frameworkCodes: Partial<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'content_type_unsupported',
}

/** For errors of the framework and its plugins, such as a 403 for a path that leads out of a folder. */
function byStatus(status: number | undefined): RefusalCode {
  if (status === undefined || status < 400 || status >= 500) return 'internal_error'
  return status === 403 || status === 404 ? 'route_not_found' : 'request_malformed'
}

type ValidationError = {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  message?: string
}

/**
 * Lists every invalid field. The validator stops at the first one, because listing all errors of a large body took
 * minutes and gigabytes. So small requests are validated a second time, and large ones only searched for unknown
 * fields.
 */
function validationRefusal(
  first: readonly ValidationError[],
  context: string | undefined,
  request: FastifyRequest,
): Refusal {
  const { schema, value, isSmall } = refusedPart(context, request)
  const named = request.server.getSchemas() as Record<string, TSchema>
  const all = isSmall && schema !== undefined ? [...Errors(named, schema as TSchema, value)] : []
  const unknown =
    schema === undefined
      ? []
      : unknownFields(schema, value, (id) => request.server.getSchema(id) as JsonSchema | undefined)
  const others = withoutAlternatives((all.length > 0 ? all : first).flatMap(fieldErrors))
  // One error per field: an empty id is too short and also fails the pattern; the second error does not help.
  const found = new Set<string>()
  const isFirst = ({ pointer }: FieldError) => !found.has(pointer) && found.add(pointer)
  const errors = [...others, ...unknown].filter(isFirst).slice(0, validationErrorsShownMax)
  if (context === 'body' && errors.some((one) => one.pointer === '')) {
    const detail = value === undefined ? 'The body is missing. It must be a JSON object.' : undefined
    return new Refusal('body_malformed', { detail: detail ?? 'The body must be a JSON object.' })
  }
  const detail = errors.map((one) => `${one.pointer} ${one.detail}`).join('; ')
  return new Refusal('validation_failed', { detail, errors })
}

const alternatives = new Set(['must be null', 'must match a schema in anyOf'])

/** If a field is wrong inside an object that may also be null, the validator says too that the object must be null. */
function withoutAlternatives(errors: readonly FieldError[]): FieldError[] {
  return errors.filter(
    ({ pointer, detail }) =>
      !alternatives.has(detail) || !errors.some((other) => other.pointer.startsWith(`${pointer}/`)),
  )
}

/** The part of the request that was refused, and its schema. */
function refusedPart(context: string | undefined, request: FastifyRequest) {
  const { schema } = request.routeOptions
  if (context === 'body')
    return { schema: schema?.body as JsonSchema, value: request.body, isSmall: hasSmallBody(request) }
  if (context === 'querystring')
    return { schema: schema?.querystring as JsonSchema, value: request.query, isSmall: true }
  return { schema: undefined, value: undefined, isSmall: true }
}

function hasSmallBody({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? Infinity) <= bodyBytesMax
}

/** The two validators report a missing field differently. */
function fieldErrors({ keyword, instancePath, params, message }: ValidationError): FieldError[] {
  const inside = (names: unknown, detail: string) =>
    [names].flat().map((name) => ({ pointer: pointerTo(instancePath, String(name)), detail }))
  if (keyword === 'required') return inside(params.missingProperty ?? params.requiredProperties, 'is missing')
  // One of the validators adds these for each unknown field.
  if (keyword === 'boolean') return []
  if (keyword === 'additionalProperties')
    return inside(params.additionalProperty ?? params.additionalProperties, unknownDetail)
  const wanted = wantedBy(keyword, params)
  if (wanted !== undefined) return [{ pointer: instancePath, detail: wanted }]
  // One of the validators shouts.
  return [{ pointer: instancePath, detail: message?.replace('must NOT', 'must not') ?? 'is invalid' }]
}

/** The rule in words, if the validator's own are not good enough. */
function wantedBy(keyword: string, params: Record<string, unknown>): string | undefined {
  if (keyword === 'pattern') return patternDetails.get(params.pattern)
  if (keyword === 'format') return formatDetails.get(params.format)
  // The only value that a schema excludes.
  if (keyword === 'not') return 'must not be 0'
  const { allowedValues } = params
  const isShort = Array.isArray(allowedValues) && allowedValues.length <= valuesNamedMax
  return keyword === 'enum' && isShort ? `must be one of ${allowedValues.map(String).join(', ')}` : undefined
}

const valuesNamedMax = 40
