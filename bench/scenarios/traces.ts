import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Contestant } from '../contestants/contestant.ts'
import { startWheelhouse } from '../contestants/wheelhouse.ts'
import { answerRate, answerRateByCost, printTurns, ratioOf, showRatio } from '../report.ts'
import { playRounds, withContestants } from '../rounds.ts'
import type { Bench, Scenario } from './scenario.ts'
import { grantsSpec } from './throughput.ts'

/** The cost of tracing one grant in a hundred. */
export const traces: Scenario = {
  name: 'traces',
  title: 'Grants, 64 connections, with one in a hundred traced and with none',
  seconds: (bench) => 2 * (bench.roundsAt(64) + 2) * (bench.seconds + 0.3) + 6,
  async run(bench: Bench) {
    const receiver = await startReceiver()
    const traced = wheelhouseWith('traced', { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    const untraced = wheelhouseWith('untraced', {})
    const setup = { scenario: 'traces', prizes: [], ...bench }
    const lineup = { contestants: [traced, untraced], specOf: grantsSpec(bench) }
    await withContestants(bench.driver, setup, lineup, async (prepared) => {
      const measured = await playRounds(bench.driver, setup, prepared, { ...bench, connections: [64] })
      const turns = measured.get(64) ?? []
      printTurns(traces.title, turns)
      const ratio = ratioOf(turns, traced.name, untraced.name, answerRate)
      const byCost = ratioOf(turns, traced.name, untraced.name, answerRateByCost)
      if (ratio !== undefined)
        console.log(`  traced, the rate is ${showRatio(ratio)} times that of untraced,`)
      if (byCost !== undefined) console.log(`  and ${showRatio(byCost)} by processor time`)
    }).finally(receiver.stop)
    console.log(`  ${receiver.bytes()} bytes of traces were received in the meantime`)
  },
}

async function startReceiver() {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => response.end('{}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, bytes: () => bytes, stop: () => void server.close() }
}

function wheelhouseWith(name: string, settings: Record<string, string>): Contestant {
  return {
    name,
    start: (setup) =>
      startWheelhouse(
        { ...setup, scenario: `traces_${name}`, settings: { ...setup.settings, ...settings } },
        { name, entriesPerPlayer: 0 },
      ),
  }
}
