// A short selection of `npm run faults`, and a check that it detects faults. docs/reliability.md describes the rest.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { endAll } from '../../faults/children.ts'
import { applied, brokenBuilds, type Edit, failPoints, otherLimits, paceBuilds } from '../../faults/edits.ts'
import { commonFaults } from '../../faults/faults.ts'
import { Game } from '../../faults/model.ts'
import { type Fault, runRound, type Verdict } from '../../faults/round.ts'
import { makeScene } from '../../faults/scene.ts'
import { repository } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

after(endAll)

const byName = (name: string) => commonFaults.filter((fault) => fault.name === name)

async function runShort(
  faults: Fault[],
  { seed, serverCount, edits = [] }: { seed: number; serverCount: number; edits?: string[] },
): Promise<Verdict> {
  const scene = await makeScene({ serverCount, server: { edits } })
  try {
    return await runRound(scene, faults, { seed, seconds: 5, strength: 3, log: () => undefined })
  } finally {
    await scene.stop()
  }
}

describe('a fault round', { concurrency: 2 }, () => {
  test(
    'killed servers and lost commit responses leave nothing undone and nothing done twice',
    onLanding,
    async () => {
      const faults = [...byName('kill-server'), ...byName('cut-after-commit')]
      const verdict = await runShort(faults, { seed: 11, serverCount: 2 })
      assert.deepEqual(verdict.findings, [])
      assert.deepEqual([verdict.verdict, verdict.problem], ['passed', undefined])
      assert.ok(verdict.ok > 50, `only ${verdict.ok} requests were acknowledged`)
    },
  )

  test(
    'that fails waits for its other faults, so that none runs on without its scene',
    onLanding,
    async () => {
      let running = 0
      const limits = { about: '', seconds: 5 }
      const fails: Fault = { name: 'fails', ...limits, run: async () => assert.fail('it failed') }
      const runsOn: Fault = {
        name: 'runs on',
        ...limits,
        run: async (ctx) => {
          running++
          while (!ctx.isOver()) await ctx.pause(100)
          running--
        },
      }
      const { verdict, problem } = await runShort([fails, runsOn], { seed: 1, serverCount: 1 })
      assert.deepEqual([verdict, running], ['unknown', 0])
      assert.match(problem ?? '', /it failed/)
    },
  )

  test('a build that acknowledges before the commit is detected', onLanding, async () => {
    // On a machine so slow that the fault hits no commit, try again with the next seed.
    for (let seed = 1; ; seed++) {
      const options = { seed, serverCount: 1, edits: ['acknowledged-before-commit'] }
      const verdict = await runShort(byName('cut-before-commit'), options)
      const lost = verdict.findings.filter(({ what }) => what.includes('is lost'))
      if (lost.length > 0) break
      assert.ok(seed < 5, 'five rounds detected nothing')
    }
  })
})

test('every edit of the harness applies to the current source', () => {
  for (const [name, edits] of Object.entries({
    ...failPoints,
    ...brokenBuilds,
    ...otherLimits,
    ...paceBuilds,
  })) {
    const files = Map.groupBy<string, Edit>(edits, ({ file }) => file)
    for (const [file, own] of files) {
      const source = readFileSync(join(repository, file), 'utf8')
      assert.notEqual(own.reduce(applied, source), source, name)
    }
  }
  const gone = { file: 'src/main.ts', find: 'what is not there', replace: '' }
  assert.throws(() => applied('', gone), /src\/main\.ts has changed/)
})

test('the model gives a repeat the first answer and refuses another number', () => {
  const game = new Game()
  const order = { playerId: 'ann', key: 'one', amount: 5 }
  assert.deepEqual(game.grant(order), { spinCount: 5, isReplay: false })
  assert.deepEqual(game.play('ann', 2), { playNumber: 1, spinCount: 6 })
  assert.deepEqual(game.grant(order), { spinCount: 5, isReplay: true })
  assert.deepEqual(game.grant({ ...order, amount: 6 }), { code: 'idempotency_key_reused' })
  assert.equal(game.welcome('bob', 3), true)
  assert.equal(game.welcome('bob', 3), false)
  assert.deepEqual(game.play('cat', 0), { code: 'no_spins' })
  assert.equal(game.claim('a play', 'claim'), 'settled')
  assert.equal(game.redeem('a play', 'till 1'), 'settled')
  assert.equal(game.redeem('a play', 'till 2'), 'prize_settled')
  assert.equal(game.redeem('a play', 'till 1'), 'replayed')
  assert.equal(game.claim('a play', 'claim'), 'replayed')
  assert.equal(game.claim('a play', 'another'), 'prize_settled')
})
