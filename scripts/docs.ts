// `npm run docs`: writes the parts of the documentation that are made from the code.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorsMarkdown } from '../src/http/errors-page.ts'

writeFileSync(join(import.meta.dirname, '..', 'docs', 'errors.md'), errorsMarkdown())
