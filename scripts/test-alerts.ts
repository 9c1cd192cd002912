// `npm run test:alerts`: checks the alert rules with promtool, and that each alert fires when it should, and only then.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alerts } from '../src/monitoring/alerts.ts'
import { alertCases } from '../test/operate/alert-cases.ts'

const rules = join(import.meta.dirname, '..', 'deploy', 'monitoring', 'wheelhouse-alerts.yml')

/** JSON is YAML too, as far as promtool is concerned. */
function testFile(): string {
  const tests = alerts.flatMap(({ name }) => {
    const { fires, quiet, at } = alertCases[name] ?? { fires: {}, quiet: {}, at: '1m' }
    return [testOf(name, fires, { at, isFiring: true }), testOf(name, quiet, { at, isFiring: false })]
  })
  return JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests })
}

function testOf(
  name: string,
  series: Record<string, string>,
  { at, isFiring }: { at: string; isFiring: boolean },
): object {
  const expr = `count(ALERTS{alertname="${name}",alertstate="firing"})`
  return {
    name: `${name} ${isFiring ? 'fires' : 'is quiet'}`,
    interval: '1m',
    input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
    promql_expr_test: [{ expr, eval_time: at, exp_samples: isFiring ? [{ labels: '{}', value: 1 }] : [] }],
  }
}

function promtool(...args: string[]): boolean {
  const { error, status } = spawnSync('promtool', args, { stdio: 'inherit' })
  if (error !== undefined)
    console.error(`promtool can't be run (${error.message}). Debian's package prometheus has it.`)
  return status === 0
}

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-alerts-'))
try {
  const file = join(folder, 'tests.yml')
  writeFileSync(file, testFile())
  const isFine = promtool('check', 'rules', rules) && promtool('test', 'rules', file)
  if (isFine) console.log(`${alerts.length} alerts fire when they should, and only then.`)
  else process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
