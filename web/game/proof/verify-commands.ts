/** Shell commands that recompute a play with common tools, so that the player need not trust this page. Pure. */
import { draw, weightTotal } from '../../../src/fairness/draw.ts'
import type { Play } from '../api.ts'
import { readWheel } from '../wheel/published.ts'
import { hashing } from './sha256.ts'
import type { Step } from './verify.ts'

/** `address`: where the server publishes the texts of wheels. Below each command is what it must print. */
export function verifyCommands({ proof }: Play, steps: readonly Step[], published: string, address: string) {
  const weights = readWheel(published).segments.map(({ weight }) => weight)
  const { rejected } = draw({ ...proof, weights }, hashing)
  const { serverSeed, playerSeed, playNumber, versionHash, commitment, ticket } = proof
  const digest = steps.find(({ name }) => name === 'digest')?.evidence.split('= ')[1] ?? ''
  const message = ['wheelhouse draw 1', playerSeed, playNumber, versionHash, rejected].join('\\n')
  return [
    `printf ${serverSeed} | xxd -r -p | openssl dgst -sha256 -r`,
    `# ${commitment}`,
    `curl -s ${address}${versionHash} | openssl dgst -sha256 -r`,
    `# ${versionHash}`,
    `printf '${message}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:${serverSeed} -r`,
    `# ${digest}`,
    `echo $((0x${digest.slice(0, 12)} % ${weightTotal(weights)}))`,
    `# ${ticket}`,
  ].join('\n')
}
