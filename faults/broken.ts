import { commonFaults } from './faults.ts'
import { brokenBuilds } from './edits.ts'
import { type Fault, runRound } from './round.ts'
import { makeScene, type Scene } from './scene.ts'

/** A build that is broken on purpose, and the fault under which that shows. */
type Broken = { name: keyof typeof brokenBuilds; fault: string; scene?: () => Promise<Scene> }

const builds: Broken[] = [
  { name: 'acknowledged-before-commit', fault: 'cut-before-commit' },
  { name: 'unsorted-batch', fault: 'nothing' },
  { name: 'duplicate-check-too-early', fault: 'nothing' },
  { name: 'duplicate-check-after-debit', fault: 'nothing' },
  { name: 'outbox-outside', fault: 'cut-after-commit' },
]

const triesMax = 3

/** Runs each broken build until it is caught. True if all were. */
export async function runBroken(names: readonly string[], print: (line: string) => void): Promise<boolean> {
  let areAllCaught = true
  for (const build of builds.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const caught = await catchBroken(build, print)
    if (caught === undefined) areAllCaught = false
    print(
      `${caught === undefined ? 'NOT CAUGHT' : 'caught'}  ${build.name}${caught === undefined ? '' : `: ${caught}`}`,
    )
  }
  return areAllCaught
}

async function catchBroken(
  { name, fault }: Broken,
  print: (line: string) => void,
): Promise<string | undefined> {
  const faults: Fault[] = commonFaults.filter((one) => one.name === fault)
  for (let seed = 1; seed <= triesMax; seed++) {
    const scene = await makeScene({ serverCount: 2, server: { edits: [name] } })
    try {
      const verdict = await runRound(scene, faults, { seed, seconds: 12, log: print })
      if (verdict.verdict === 'failed') return verdict.findings.map(({ what }) => what).join('; ')
      print(`${name}: ${verdict.verdict} with seed ${seed} ${verdict.trouble ?? ''}`)
    } finally {
      await scene.stop()
    }
  }
  return undefined
}
