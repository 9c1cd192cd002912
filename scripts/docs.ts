// `npm run docs`: writes the parts of the documentation that are generated from the code.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withCatalogue } from '../src/events/catalogue-page.ts'
import { errorsMarkdown } from '../src/http/docs/errors-page.ts'
import { alertRules } from '../src/monitoring/alert-rules.ts'
import { dashboard } from '../src/monitoring/dashboard.ts'
import { withMonitoring } from '../src/monitoring/monitoring-page.ts'
import { envExample, settingsMarkdown } from '../src/settings/settings-page.ts'

const root = join(import.meta.dirname, '..')
const docs = join(root, 'docs')
const events = join(docs, 'events.md')
writeFileSync(join(docs, 'errors.md'), errorsMarkdown())
writeFileSync(events, withCatalogue(readFileSync(events, 'utf8')))
const monitoring = join(docs, 'monitoring.md')
const deploy = join(root, 'deploy', 'monitoring')
writeFileSync(monitoring, withMonitoring(readFileSync(monitoring, 'utf8')))
writeFileSync(join(deploy, 'wheelhouse-alerts.yml'), alertRules())
writeFileSync(join(deploy, 'wheelhouse-dashboard.json'), dashboard())
writeFileSync(join(root, '.env.example'), envExample())
writeFileSync(join(docs, 'settings.md'), settingsMarkdown())
