// `npm run test:engines`: the tests of the game page in Chromium, Firefox and WebKit, all of them. As root on Debian,
// it installs what is missing; elsewhere it names it and fails.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { engineNames, installEngines, missingPackages } from './engines.ts'

installEngines()
const missing = engineNames.flatMap(missingPackages)
if (missing.length > 0) {
  console.error(`Missing, by the names of Debian's packages: ${missing.join(', ')}`)
  process.exit(1)
}
const { status } = spawnSync(
  process.execPath,
  [join(import.meta.dirname, 'test.ts'), 'test/game/engines.test.ts'],
  { stdio: 'inherit', env: { ...process.env, TESTS: 'all' } },
)
process.exit(status ?? 1)
