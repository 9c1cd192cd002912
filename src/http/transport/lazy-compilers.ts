/**
 * What reads requests and writes answers is compiled from the schemas of a route. To compile all of it, for every route and
 * status, was most of the time to start, so it is done when the first such request or answer is there; refusals are
 * written elsewhere and never need theirs.
 */
import AjvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

export function lazySerializers(): ReturnType<typeof SerializerSelector> {
  const select = SerializerSelector()
  return (externalSchemas, options) => {
    const compile = select(externalSchemas, options)
    return (route) => {
      let serialize: ((answer: unknown) => string) | undefined
      return (answer) => (serialize ??= compile(route))(answer)
    }
  }
}

type Validator = ((data: unknown) => unknown) & { errors?: unknown }

export function lazyValidators(): BuildCompilerFromPool {
  const build = AjvCompiler()
  return (externalSchemas, options) => {
    const compile = build(externalSchemas, options) as (route: unknown) => Validator
    const lazy = (route: unknown): Validator => {
      let validate: Validator | undefined
      const validator: Validator = (data) => {
        validate ??= compile(route)
        const isValid = validate(data)
        validator.errors = validate.errors
        return isValid
      }
      return validator
    }
    return lazy as ReturnType<BuildCompilerFromPool>
  }
}
