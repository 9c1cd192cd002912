// Imported before @hey-api/openapi-ts, which npm installs beside our own TypeScript: it can only work with an older one.
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const older = pathToFileURL(createRequire(import.meta.url).resolve('typescript')).href

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? older : specifier, context),
})
