// The game page in three engines. `npm run test:engines` runs this file; ENGINE=firefox chooses one.
import { describe, test } from 'node:test'
import { engineNames, missingPackages } from '../../scripts/engines.ts'
import {
  allFaults,
  fitLabels,
  loseConnection,
  missParts,
  openOverBadNetwork,
  playByKeyboard,
  playOverBadNetwork,
  revealWithoutTurning,
  tellStates,
} from './engines/still-cases.ts'
import { noticeChange, playEmbedded, spinAndVerify, stopWhereDrawn, swipe } from './engines/turning-cases.ts'
import { keepPrizes } from './engines/wallet-cases.ts'
import { makeWorld } from './engines/world.ts'
import { runsAll } from '../scenes/selection.ts'

const turns = Number(process.env.TURNS ?? 200)
const chosen = (['chromium', ...engineNames] as const).filter((name) => name === (process.env.ENGINE ?? name))

for (const name of chosen) {
  const missing = name === 'chromium' ? [] : missingPackages(name)
  const skip =
    missing.length > 0
      ? `not installed: ${missing.join(', ')} (npm run test:engines installs it)`
      : !runsAll && 'npm run test:engines runs it'

  describe(`with a turning wheel in ${name}`, { skip }, () => {
    const world = makeWorld(name, { isReducedMotion: false })
    test('a spin shows the answer of the server, and its proof is right', () => spinAndVerify(world))
    test(`the wheel stops where the server said, ${turns} times`, () => stopWhereDrawn(world, turns))
    test('a swipe spins, by mouse and by touch', () => swipe(world))
    test('a wheel that has changed waits for another press', () => noticeChange(world))
    test('the embedded game opens, plays by keyboard and tells the shop', (t) => playEmbedded(world, t))
  })

  describe(`with reduced motion in ${name}`, { skip }, () => {
    const world = makeWorld(name, { isReducedMotion: true })
    test('a bad network at the opening', () => openOverBadNetwork(world, allFaults))
    test('a play whose answer is lost or wrong counts once', () => playOverBadNetwork(world, allFaults))
    test('the result is revealed without turning', () => revealWithoutTurning(world))
    test('the keyboard is enough', () => playByKeyboard(world))
    test('closed, over, sold out and paused', () => tellStates(world))
    test('a connection that is lost at each step', () => loseConnection(world))
    test('parts of the page that do not arrive', (t) => missParts(world, t))
    test('the wallet keeps prizes without a connection, claims and forgets', () => keepPrizes(world))
    test('every label is inside its segment', () => fitLabels(world))
  })
}
