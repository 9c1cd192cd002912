import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { text } from 'node:stream/consumers'
import { paceBuilds } from '../../faults/edits.ts'
import { hashing } from '../../src/fairness/hashing.ts'
import { ExportVerifier, type VerifiedLine } from '../../src/fairness/verify-export.ts'
import { node, repository } from '../scenes/scene.ts'

async function verifiedCampaign(build: string) {
  const args = [
    '--import',
    join(repository, 'faults', 'edits.ts'),
    join(repository, 'test', 'pacing', 'paced-campaign.ts'),
  ]
  const child = spawn(node, args, {
    env: { ...process.env, FAULT_EDITS: build, NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = (await text(child.stdout)).trim().split('\n')
  const verifier = new ExportVerifier(hashing)
  for (const line of lines) verifier.add(JSON.parse(line) as VerifiedLine)
  return verifier.finish()
}

/** What must be among the sentences that are not true of each broken build. */
const expected: Record<keyof typeof paceBuilds, RegExp> = {
  'pace-gate-off-by-one': /no unit was given before its moment/,
  'pace-award-early': /no unit was given before its moment/,
  'pace-unit-skipped': /units were given in order, without a gap/,
  'pace-head-kept': /the list of awards gives the last hash/,
  'pace-key-changed': /its gates are those of the run that was revealed/,
  'pace-no-last-call': /the units that were released and given explain the result/,
}

test('verify accepts an honest campaign, and notices every broken build', async () => {
  const honest = await verifiedCampaign('')
  assert.deepEqual(honest, { plays: 180, runs: 1, later: 0, wrong: 0, complaints: [] })
  for (const [build, sentence] of Object.entries(expected)) {
    const { wrong, complaints } = await verifiedCampaign(build)
    assert.ok(wrong > 0, build)
    assert.match(complaints.flatMap((one) => one.complaints).join('\n'), sentence, build)
  }
})
