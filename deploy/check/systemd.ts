import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check } from './check.ts'

/** In tenths, as the option has it. docs/install.md names the score. */
const exposureMax = 13

/** Lets systemd judge the unit, as if Wheelhouse were installed from this checkout. */
export function checkUnit(repository: string): Check[] {
  const unit = readFileSync(join(repository, 'deploy', 'systemd', 'wheelhouse.service'), 'utf8')
  const here = unit.replaceAll('/opt/wheelhouse', repository)
  return [
    {
      name: 'systemd-analyze verify accepts the unit',
      tool: 'systemd-analyze',
      run: () => analyze(here, ['verify']) || 'no warnings',
    },
    {
      name: `systemd-analyze security finds an exposure of at most ${exposureMax / 10}`,
      tool: 'systemd-analyze',
      run: () =>
        analyze(here, ['security', '--offline=true', `--threshold=${exposureMax}`])
          .trim()
          .split('\n')
          .at(-1) ?? '',
    },
  ]
}

function analyze(unit: string, command: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-unit-'))
  const file = join(folder, 'wheelhouse.service')
  writeFileSync(file, unit)
  try {
    return execFileSync('systemd-analyze', ['--no-pager', ...command, file], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(stdout + stderr, { cause: error })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
