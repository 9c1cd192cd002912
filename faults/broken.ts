import { execFileSync } from 'node:child_process'
import type { brokenBuilds } from './edits.ts'
import { entryFaults } from './entry-faults.ts'
import { commonFaults } from './faults.ts'
import { clocks, makeClocksScene } from './free-spin-faults.ts'
import { type Fault, runRound } from './round.ts'
import { pacedLoad } from './paced-faults.ts'
import { makeScene, type Scene } from './scene.ts'
import { cutPower, type LoopScene, makeLoopScene, needsDisk } from './disk-faults.ts'

/** A build that is broken on purpose, and the fault that reveals it. */
type Broken = {
  name: string
  fault: Fault | undefined
  scene: () => Promise<Scene>
  skipReason?: () => string | undefined
}

const builds: Broken[] = [
  brokenBy('acknowledged-before-commit', 'cut-before-commit'),
  brokenBy('unsorted-batch'),
  brokenBy('duplicate-check-too-early'),
  brokenBy('duplicate-check-after-debit'),
  brokenBy('outbox-outside', 'cut-after-commit'),
  brokenBy('pace-run-unlocked', 'paced-load'),
  brokenBy('address-taken-twice', 'visitors-crash'),
  {
    name: 'free-spins-of-any-other-period',
    scene: () => makeClocksScene(['free-spins-of-any-other-period']),
    fault: clocks(),
  },
  {
    name: 'fsync-off',
    skipReason: needsDisk,
    scene: () => makeLoopScene({ fsync: 'off' }),
    fault: {
      name: 'power-cut',
      about: 'one power cut, long after the last sync of the file system',
      seconds: 8,
      async run({ scene, pause }) {
        // From here on, only PostgreSQL itself could sync anything to the disk.
        await scene.postgres.query('checkpoint')
        execFileSync('sync', ['--file-system', (scene as LoopScene).folder])
        await pause(Infinity)
        await cutPower(scene)
      },
    },
  },
]

function brokenBy(name: keyof typeof brokenBuilds, faultName?: string): Broken {
  const scene = () => makeScene({ serverCount: 2, server: { edits: [name] } })
  return {
    name,
    fault: [...commonFaults, ...entryFaults, pacedLoad].find((fault) => fault.name === faultName),
    scene,
  }
}

const triesMax = 3

/** Runs each broken build until it is caught or the tries run out. True if all were caught. */
export async function runBroken(names: readonly string[], print: (line: string) => void): Promise<boolean> {
  let areAllCaught = true
  for (const build of builds.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const reason = build.skipReason?.()
    if (reason !== undefined) {
      print(`skipped  ${build.name}: ${reason}`)
      continue
    }
    const caught = await catchBroken(build, print)
    if (caught === undefined) areAllCaught = false
    print(
      `${caught === undefined ? 'NOT CAUGHT' : 'caught'}  ${build.name}${caught === undefined ? '' : `: ${caught}`}`,
    )
  }
  return areAllCaught
}

async function catchBroken(build: Broken, print: (line: string) => void): Promise<string | undefined> {
  const { name, fault } = build
  for (let seed = 1; seed <= triesMax; seed++) {
    const scene = await build.scene()
    try {
      const verdict = await runRound(scene, fault === undefined ? [] : [fault], {
        seed,
        seconds: 12,
        log: print,
      })
      if (verdict.verdict === 'failed') return verdict.findings.map(({ what }) => what).join('; ')
      print(`${name}: ${verdict.verdict} with seed ${seed} ${verdict.problem ?? ''}`)
    } finally {
      await scene.stop()
    }
  }
  return undefined
}
