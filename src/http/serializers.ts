import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

/**
 * Compiles what writes an answer when the first such answer is due. To compile all of them, for every route and status, was
 * three quarters of the time to start; refusals are written elsewhere and never need theirs.
 */
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
