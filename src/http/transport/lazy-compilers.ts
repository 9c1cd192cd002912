/**
 * Validators and serializers are compiled from the schemas of a route. Compiling them for every route and status took
 * most of the start-up time, so each is compiled at its first use, and so is the compiler itself made. Refusals are
 * serialized elsewhere and never need theirs.
 */
import AjvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

export function lazySerializers(): ReturnType<typeof SerializerSelector> {
  const select = SerializerSelector()
  return (sharedSchemas, options) => (route) => {
    let serialize: ((answer: unknown) => string) | undefined
    return (answer) => (serialize ??= select(usedIn(route.schema, sharedSchemas), options)(route))(answer)
  }
}

/** The shared schemas that a schema refers to. The compiler checks all that it is given, for every route again. */
function usedIn(schema: unknown, sharedSchemas: unknown): Record<string, unknown> {
  const used: Record<string, unknown> = {}
  const addFrom = (text: string): void => {
    for (const [id, shared] of Object.entries(sharedSchemas as Record<string, unknown>))
      if (!(id in used) && text.includes(`"$ref":"${id}`)) {
        used[id] = shared
        addFrom(JSON.stringify(shared))
      }
  }
  addFrom(JSON.stringify(schema))
  return used
}

type Validator = ((data: unknown) => unknown) & { errors?: unknown }

export function lazyValidators(): BuildCompilerFromPool {
  const build = AjvCompiler()
  return (externalSchemas, options) => {
    let compile: ((route: unknown) => Validator) | undefined
    const lazy = (route: unknown): Validator => {
      let validate: Validator | undefined
      const validator: Validator = (data) => {
        compile ??= build(externalSchemas, options) as (route: unknown) => Validator
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
