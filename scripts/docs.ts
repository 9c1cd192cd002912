// `npm run docs`: writes the parts of the documentation that are made from the code.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withCatalogue } from '../src/events/catalogue-page.ts'
import { errorsMarkdown } from '../src/http/errors-page.ts'

const docs = join(import.meta.dirname, '..', 'docs')
const events = join(docs, 'events.md')
writeFileSync(join(docs, 'errors.md'), errorsMarkdown())
writeFileSync(events, withCatalogue(readFileSync(events, 'utf8')))
