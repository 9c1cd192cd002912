// `npm run lint [-- files]`: runs the linter, which it installs first if it is missing.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installPackages } from './install-packages.ts'

installPackages('scripts/lint')
const programs = join(import.meta.dirname, 'lint', 'node_modules', '.bin')
const { status } = spawnSync(join(programs, 'oxlint'), ['--type-aware', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, OXLINT_TSGOLINT_PATH: join(programs, 'tsgolint') },
})
process.exit(status ?? 1)
