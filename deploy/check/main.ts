// `npm run test:deploy`: checks compose.yaml, the Kubernetes manifests and the systemd unit with the tools and schemas
// of their own projects. A check whose tool is missing is reported as skipped.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installPackages } from '../../scripts/install-packages.ts'
import type { Check } from './check.ts'
import { checkCompose } from './compose.ts'
import { checkManifests } from './kubernetes.ts'
import { checkUnit } from './systemd.ts'

const repository = join(import.meta.dirname, '..', '..')

installPackages('deploy/check')
let failures = 0
for (const check of [
  checkCompose(repository),
  ...checkManifests(join(repository, 'deploy', 'kubernetes')),
  ...checkUnit(repository),
])
  await report(check)
process.exitCode = failures === 0 ? 0 : 1

async function report({ name, tool, run }: Check): Promise<void> {
  if (tool !== undefined && spawnSync(tool, ['--help']).error !== undefined)
    return console.log(`skipped  ${name}: ${tool} is not installed`)
  try {
    console.log(`ok       ${name}: ${await run()}`)
  } catch (error) {
    failures++
    console.log(`FAILED   ${name}\n${(error as Error).message}`)
  }
}
