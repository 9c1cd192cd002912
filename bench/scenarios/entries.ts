import { addMerchant, ask, wheelhouse, wheelOf } from '../contestants/wheelhouse.ts'
import type { RunningContestant } from '../contestants/contestant.ts'
import { Driver } from '../driver/driver.ts'
import type { OpenResult } from '../driver/open-loop.ts'
import { printTable, showRatio, spreadOf } from '../report.ts'
import { takeTurn } from '../rounds.ts'
import type { Cost } from '../measured.ts'
import type { EntriesSpec } from '../work/entries.ts'
import { sumOf } from './flood.ts'
import type { Bench, Scenario } from './scenario.ts'
import { grantsSpec, playsSpec } from './throughput.ts'

const flooding = 64
const quietRate = 50
const longer = 3
const prizes = [{ label: 'Mug', weight: 1, stock: 1_000_000_000 }]

/** Visitors: what one costs beside a grant to a new player, and what a flood of them costs other merchants. */
export const entries: Scenario = {
  name: 'entries',
  title: 'Entries of visitors',
  seconds: (bench) => (4 + bench.roundsAt(64) * (4 + 4 * longer)) * (bench.seconds + 0.2),
  async run(bench: Bench) {
    const setup = { scenario: 'entries', prizes, ...bench }
    const running = await wheelhouse.start(setup)
    const quiet = Driver.start()
    try {
      const form = await openEntry(running, await addMerchant(setup, 'visitors'))
      const works = {
        entry: form,
        newcomer: { kind: 'newcomers', token: running.token },
        grants: grantsSpec(bench)(running, 0),
        plays: playsSpec(bench)(running, 0),
      } as const
      for (const [id, spec] of Object.entries(works))
        await (id === 'entry' || id === 'newcomer' ? bench.driver : quiet).prepare(id, running.port, spec)
      await compareCosts(bench, running)
      await compareLatencies(bench, running, quiet)
      const { entries: acknowledged } = await bench.driver.tally('entry')
      const rows = await bench.postgres.query<{ entered: number }>('wheelhouse_entries', countEntries)
      if (rows[0]?.entered !== acknowledged)
        throw new Error(`the store has ${rows[0]?.entered} entries, but ${acknowledged} were acknowledged`)
      // One after the other: a driver carries out one command at a time.
      const newcomers = await bench.driver.tally('newcomer')
      const [grants, plays] = [await quiet.tally('grants'), await quiet.tally('plays')]
      await running.check([newcomers, grants, plays].reduce(sumOf))
    } finally {
      quiet.stop()
      await running.stop()
      for (const id of ['entry', 'newcomer']) await bench.driver.forget(id)
    }
  },
}

const countEntries = 'select sum(entered)::int as entered from entry_counts'

/** Processor time of an entry and of a grant to a new player, at one connection and at many. */
async function compareCosts(bench: Bench, running: RunningContestant): Promise<void> {
  const rows: string[][] = []
  for (const connections of [1, flooding]) {
    const turn = { connections, seconds: bench.seconds }
    const costs = { entry: [] as number[], newcomer: [] as number[] }
    for (const workId of ['entry', 'newcomer'] as const)
      await takeTurn(bench.driver, { running, workId }, turn)
    for (let round = 1; round <= bench.roundsAt(64); round++)
      for (const workId of ['entry', 'newcomer'] as const) {
        const { cost } = await takeTurn(
          bench.driver,
          { running, workId },
          turn,
          bench.profileFolder ? { ...bench, scenario: workId, prizes } : undefined,
        )
        costs[workId].push(microsOf(cost))
      }
    const ratios = costs.entry.map((micros, round) => micros / (costs.newcomer[round] as number))
    bench.figures.set(`entry cost@${connections}`, spreadOf(ratios))
    const shown = (micros: readonly number[]) => spreadOf(micros).median.toFixed(0)
    rows.push([String(connections), shown(costs.entry), shown(costs.newcomer), showRatio(spreadOf(ratios))])
  }
  console.log(`\n${entries.title}: µs of server and database`)
  printTable(['connections', 'entry', 'grant, new player', 'ratio'], rows)
}

function microsOf({ server, database }: Cost): number {
  return (server ?? Number.NaN) + (database ?? Number.NaN)
}

/** The latency of others at a low rate, alone and beside a flood of entries. */
async function compareLatencies(bench: Bench, running: RunningContestant, quiet: Driver): Promise<void> {
  const turn = { port: running.port, seconds: longer * bench.seconds }
  const rows: string[][] = []
  for (const id of ['grants', 'plays']) {
    const own = () => quiet.openLoop(id, { ...turn, connections: 16, rate: quietRate })
    await own()
    const alone: OpenResult[] = []
    const beside: OpenResult[] = []
    let entered = 0
    for (let round = 1; round <= bench.roundsAt(64); round++) {
      alone.push(await own())
      const [result, flood] = await Promise.all([
        own(),
        bench.driver.closedLoop('entry', { ...turn, connections: flooding }),
      ])
      beside.push(result)
      entered += flood.answers / flood.seconds / bench.roundsAt(64)
    }
    const p99 = (results: readonly OpenResult[]) => results.map(({ latency }) => latency.p99)
    const ratios = p99(beside).map((one, round) => one / (p99(alone)[round] as number))
    bench.figures.set(`${id} beside entries`, spreadOf(ratios))
    rows.push([
      id,
      ...[alone, beside].map((results) => showRatio(spreadOf(p99(results)))),
      showRatio(spreadOf(ratios)),
      entered.toFixed(0),
    ])
  }
  console.log(`\n${entries.title}: p99 of others in ms, ${quietRate} a second`)
  printTable(['', 'alone', `beside ${flooding} who enter`, 'ratio', 'entries/s'], rows)
}

/** A merchant whose campaign visitors can enter. Returns its form. */
async function openEntry({ port }: RunningContestant, token: string): Promise<EntriesSpec> {
  const url = `http://127.0.0.1:${port}`
  await ask(url, token, 'PUT', '/api/v1/wheels/main', wheelOf(prizes))
  await ask(url, token, 'POST', '/api/v1/wheels/main/publication')
  const closesAt = new Date(Date.now() + 86_400_000).toISOString()
  await ask(url, token, 'PATCH', '/api/v1/campaigns/main', { closesAt })
  await ask(url, token, 'PUT', '/api/v1/campaigns/main/entry', settings)
  const path = '/api/v1/entry/visitors/main'
  const shown = (await (await fetch(`${url}${path}`)).json()) as {
    form: { version: number }
    terms: { hash: string }
  }
  return { kind: 'entries', path, formVersion: shown.form.version, terms: shown.terms.hash }
}

const asked = { isRequired: false, when: 'entry' }
const settings = {
  isOpen: true,
  spins: 1,
  entriesMax: null,
  verify: 'none',
  challenge: 'never',
  refusesDisposable: false,
  answersDays: 90,
  consentYears: 3,
  fields: [
    { id: 'email', kind: 'email', labels: { en: 'E-mail' }, isRequired: true, when: 'entry' },
    { id: 'name', kind: 'name', labels: { en: 'Name' }, ...asked },
    { id: 'news', kind: 'consent', labels: { en: 'News' }, ...asked, purpose: 'marketing' },
  ],
  terms: {
    organiser: 'Acme Ltd',
    postalAddress: '1 High Street, London',
    whoMayEnter: 'Adults',
    limitPerPerson: 'One entry',
    howToClaim: 'By e-mail',
    privacyAddress: 'https://acme.example/privacy',
    texts: { en: 'The terms.' },
  },
}
