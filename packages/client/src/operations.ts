import type { paths } from './generated/api.ts'
import { keyedOperations } from './generated/keyed-operations.ts'

/** The types of every operation, read from the OpenAPI document of Wheelhouse. */

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

/** The paths that take a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: Operation<M, P> extends never ? never : P
}[keyof paths]

/** What a call needs: parameters of the path and of the query, and the body. */
export type Input<M extends Method, P extends PathOf<M>> = Pick<
  Operation<M, P>['parameters'],
  keyof Operation<M, P>['parameters'] & ('path' | 'query')
> &
  BodyOf<Operation<M, P>>

/** What the server answers with. */
export type Answer<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: { 200: { content: { 'application/json': infer Body } } } }
    ? Body
    : never

export type CallOptions = {
  /** Names the call, so that a repeat has no second effect. Made by the client if it is left out. */
  idempotencyKey?: string
  /** More headers, such as `If-Match`. */
  headers?: Record<string, string>
  /** Ends the call early. */
  signal?: AbortSignal
  /** How long the call may take, with all its retries. */
  deadlineMs?: number
}

type AnyOperation = { parameters: object; responses: object }
type Operation<M extends Method, P extends keyof paths> = Extract<
  paths[P][Lowercase<M> & keyof paths[P]],
  AnyOperation
>
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : O extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : { body?: never }

export type AnyInput = { path?: object; query?: object; body?: unknown }

const keyed = new RegExp(`^(${keyedOperations.join('|').replaceAll(/\{\w+\}/g, '[^/]+')})(\\?|$)`)

/**
 * Whether the server recognises a repeat of the operation by its `Idempotency-Key`. The path may be filled in already.
 */
export function takesKey(method: Method, path: string): boolean {
  return keyed.test(`${method} ${path}`)
}

/**
 * Whether sending the same request again has no further effect. A new game link is none: the old one stays valid. A
 * play with an id of its own happens once.
 */
export function isRepeatable(method: Method, path: string, { body }: AnyInput): boolean {
  const isIdempotent = method === 'GET' || method === 'PUT' || method === 'DELETE'
  const isNamed = path === '/api/v1/test/plays' && (body as { playId?: string }).playId !== undefined
  return isIdempotent || takesKey(method, path) || path === '/api/game/sso' || isNamed
}

/** Puts the parameters into the address. Lists are joined by commas; what is undefined is left out. */
export function addressOf(path: string, input: AnyInput): string {
  const values = { ...input.path } as Record<string, string | number>
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined || value === '') throw new TypeError(`path.${name} is missing`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  const asked = { ...input.query } as Record<
    string,
    string | number | boolean | readonly string[] | undefined
  >
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) search.set(name, String(value))
  const query = search.toString()
  return query === '' ? filled : `${filled}?${query}`
}
