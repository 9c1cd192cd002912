// `npm run docs`: writes the parts of the documentation that are generated from the code.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withCatalogue } from '../src/events/catalogue-page.ts'
import { errorsMarkdown } from '../src/http/docs/errors-page.ts'
import { envExample, settingsMarkdown } from '../src/settings/settings-page.ts'

const root = join(import.meta.dirname, '..')
const docs = join(root, 'docs')
const events = join(docs, 'events.md')
writeFileSync(join(docs, 'errors.md'), errorsMarkdown())
writeFileSync(events, withCatalogue(readFileSync(events, 'utf8')))
writeFileSync(join(root, '.env.example'), envExample())
writeFileSync(join(docs, 'settings.md'), settingsMarkdown())
