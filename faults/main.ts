// `npm run faults`: runs Wheelhouse under load, injects faults and checks every answer. See docs/reliability.md.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runBroken } from './broken.ts'
import { SeededRandom } from './seeded-random.ts'
import { endAll } from './children.ts'
import { commonFaults } from './faults.ts'
import { type Fault, runRound, type Verdict } from './round.ts'
import { makeScene, type Scene } from './scene.ts'
import { specialFaults } from './special-faults.ts'

const faults = [...commonFaults, ...specialFaults]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean' },
    broken: { type: 'boolean' },
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
  },
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    endAll()
    process.exit(1)
  })
process.on('exit', endAll)

if (values.list === true) list()
else {
  // A server needs its pages to start.
  execFileSync(process.execPath, [join(import.meta.dirname, '..', 'scripts', 'build.ts')], {
    stdio: 'inherit',
  })
  if (values.broken === true) process.exitCode = (await runBroken(positionals, print)) ? 0 : 1
  else await run()
  // What a failed round has left behind would keep this process running; `endAll` removes it.
  process.exit()
}

function list(): void {
  for (const { name, about, skipReason } of faults) {
    const reason = skipReason?.()
    console.log(`${name.padEnd(22)} ${about}${reason === undefined ? '' : ` [skipped here: ${reason}]`}`)
  }
}

/** Runs faults by name, alone or joined by "+". Without a name: each fault once, or random pairs with `--minutes`. */
async function run(): Promise<void> {
  const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed)
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
  const random = new SeededRandom(seed)
  const deadline = performance.now() + (minutes ?? 0) * 60_000
  const rounds =
    minutes === undefined
      ? (positionals.length > 0 ? positionals : faults.map(({ name }) => name)).map(byName)
      : randomRounds(random, deadline)
  const verdicts: Verdict[] = []
  const skipped: string[] = []
  let sharedScene: Scene | undefined
  let place = 0
  for (const own of rounds) {
    // In a run of many rounds each has its own seed, so that it can be repeated alone.
    const roundSeed =
      minutes === undefined && positionals.length === 1 ? seed : (seed + 1_000 * place++) >>> 0
    const reason = own.map(({ skipReason }) => skipReason?.()).find((why) => why !== undefined)
    if (reason !== undefined) {
      skipped.push(`${nameOf(own)} (${reason})`)
      continue
    }
    const special = own.find((fault) => fault.scene !== undefined)
    const scene = special?.scene === undefined ? (sharedScene ??= await makeScene()) : await special.scene()
    const seconds = values.seconds === undefined ? {} : { seconds: Number(values.seconds) }
    const verdict = await runRound(scene, own, { seed: roundSeed, log: print, ...seconds })
    verdicts.push(verdict)
    print(describe(verdict, scene))
    if (special !== undefined) await stop(scene)
    else if (verdict.verdict === 'unknown') {
      // The scene may be in any state, so the next round makes a new one.
      await stop(scene)
      sharedScene = undefined
    }
  }
  if (sharedScene !== undefined) await stop(sharedScene)
  summarise(verdicts, skipped, seed)
}

/** If the scene can't be removed now, `endAll` removes it at the end. */
async function stop(scene: Scene): Promise<void> {
  await scene.stop().catch((error: unknown) => print(`a scene could not be removed: ${String(error)}`))
}

function byName(names: string): Fault[] {
  return names.split('+').flatMap((name) => {
    const fault = faults.find((one) => one.name === name.trim())
    if (fault === undefined) throw new Error(`There is no fault ${name}; see --list.`)
    return fault
  })
}

/** Mostly pairs of common faults, and sometimes a fault with a scene of its own. */
function* randomRounds(random: SeededRandom, deadline: number): Generator<Fault[]> {
  const special = specialFaults.filter(({ onlyByName }) => onlyByName !== true)
  while (performance.now() < deadline) {
    if (random.happens(0.15)) yield [random.pick(special)]
    else {
      const first = random.pick(commonFaults)
      const second = random.pick(commonFaults)
      yield first === second ? [first] : [first, second]
    }
  }
}

function nameOf(own: readonly Fault[]): string {
  return own.map(({ name }) => name).join('+')
}

function describe(verdict: Verdict, scene: Scene): string {
  const { calls, ok, refused, unknown, entries, plays, events, deliveries, seconds, seed } = verdict
  const memory = scene.servers.at(-1)?.residentMb
  const lines = [
    `${verdict.verdict.toUpperCase().padEnd(7)} ${verdict.faults}: ${seconds} s, ${calls} requests (${ok} ok, ${refused} refused, ${unknown} unknown), ` +
      `${entries} entries, ${plays} plays, ${events} events, ${deliveries} deliveries; last server ${memory} MB; seed ${seed}`,
    ...verdict.findings.flatMap(({ what, example }) => [
      `  FINDING: ${what}`,
      `    ${JSON.stringify(example)?.slice(0, 1_500)}`,
    ]),
    ...(verdict.problem === undefined ? [] : [`  No verdict: ${verdict.problem}`]),
  ]
  if (verdict.verdict !== 'passed')
    lines.push(`  Repeat with: npm run faults -- ${verdict.faults.replaceAll(' ', '')} --seed ${seed}`)
  return lines.join('\n')
}

function summarise(verdicts: readonly Verdict[], skipped: readonly string[], seed: number): void {
  const sum = (
    field: 'calls' | 'ok' | 'refused' | 'unknown' | 'entries' | 'plays' | 'events' | 'deliveries',
  ) => verdicts.reduce((total, verdict) => total + verdict[field], 0)
  const of = (wanted: Verdict['verdict']) => verdicts.filter(({ verdict }) => verdict === wanted)
  print(
    `${verdicts.length} rounds: ${of('passed').length} passed, ${of('failed').length} failed, ${of('unknown').length} unknown; ` +
      `${sum('calls')} requests (${sum('ok')} ok, ${sum('refused')} refused, ${sum('unknown')} unknown), ${sum('entries')} entries, ` +
      `${sum('plays')} plays, ${sum('events')} events, ${sum('deliveries')} deliveries; seed ${seed}`,
  )
  for (const one of new Set(skipped)) print(`Skipped: ${one}`)
  for (const one of [...of('failed'), ...of('unknown')])
    print(`${one.verdict}: npm run faults -- ${one.faults.replaceAll(' ', '')} --seed ${one.seed}`)
  process.exitCode = verdicts.length > 0 && of('passed').length === verdicts.length ? 0 : 1
}

function print(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)
}
