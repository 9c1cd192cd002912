import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningContestant } from '../contestants/contestant.ts'
import { addMerchant, ask, wheelhouse } from '../contestants/wheelhouse.ts'
import { printTable, showRatio, spreadOf } from '../report.ts'
import { serverMicros, takeTurn } from '../rounds.ts'
import { type SmtpSink, startSmtpSink } from '../scene/smtp-sink.ts'
import { emptyTally } from '../work/work.ts'
import { sumOf } from './flood.ts'
import type { Bench, Scenario } from './scenario.ts'
import { grantsSpec } from './throughput.ts'

const connections = 64
const database = 'wheelhouse_messages'
const atOnce = 64
const neighbourIds = Array.from({ length: 10 }, (_, index) => `neighbour-${index}`)

/** Messages to players: how many a second, what they cost beside full load of grants, and whether others wait. */
export const messages: Scenario = {
  name: 'messages',
  title: 'Messages to players with waiting spins',
  seconds: (bench) => bench.players / 400 + bench.roundsAt(connections) * 4 * bench.seconds,
  async run(bench) {
    const sink = await startSmtpSink()
    const settings = {
      ...bench.settings,
      SMTP_URL: sink.url,
      MAIL_FROM: 'wheel@house.example',
      MAILS_PER_MERCHANT_AND_HOUR: '1000000',
    }
    const setup = { scenario: 'messages', prizes: [], ...bench, settings }
    const running = await wheelhouse.start(setup)
    try {
      await bench.driver.prepare('grants', running.port, grantsSpec(bench)(running, 0))
      const waiting = await makeMessages(bench, running)
      const other = await addMerchant(setup, 'neighbour')
      await makeNeighbours(bench, running, other)
      console.log(`\n${messages.title}: ${waiting} are due`)
      await measure(bench, running, sink)
      await measureNeighbour(bench, sink)
      const granted = { ...emptyTally, grants: neighbourIds.length, spins: neighbourIds.length }
      await running.check(sumOf(await bench.driver.tally('grants'), granted))
    } finally {
      await running.stop()
      await bench.driver.forget('grants')
      sink.stop()
    }
  },
}

/** Players who agreed get spins, until most of them have a message. Returns how many. */
async function makeMessages(bench: Bench, running: RunningContestant): Promise<number> {
  await switchOn(running, running.token)
  const ids = Array.from({ length: bench.players }, (_, index) => `player-${String(index).padStart(7, '0')}`)
  await setContacts(running, running.token, ids)
  const turn = { connections, seconds: bench.seconds }
  for (;;) {
    await takeTurn(bench.driver, { running, workId: 'grants' }, turn)
    const planned = await countOf(bench, 'bench')
    if (planned >= 0.9 * bench.players) return planned
  }
}

async function makeNeighbours(bench: Bench, running: RunningContestant, token: string): Promise<void> {
  const url = `http://127.0.0.1:${running.port}`
  await switchOn(running, token)
  for (const playerId of neighbourIds) await ask(url, token, 'POST', '/api/v1/links', { playerId })
  await setContacts(running, token, neighbourIds)
  for (const playerId of neighbourIds) {
    const headers = { authorization: token, 'content-type': 'application/json', 'idempotency-key': playerId }
    const body = JSON.stringify({ playerId, spins: 1 })
    const answer = await fetch(`${url}/api/v1/grants`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(await answer.text())
  }
  while ((await countOf(bench, 'neighbour')) < neighbourIds.length) await sleep(100)
}

/** It is noon at the merchant, so nothing waits for the morning. */
async function switchOn({ port }: RunningContestant, token: string): Promise<void> {
  const url = `http://127.0.0.1:${port}`
  const ahead = 12 - new Date().getUTCHours()
  const timeZone = ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
  await ask(url, token, 'PATCH', '/api/v1/merchant', { timeZone })
  const kinds = { spins_waiting: { isOn: true, texts: {} } }
  await ask(url, token, 'PUT', '/api/v1/campaigns/main/messages', { replyTo: null, kinds })
  await ask(url, token, 'PUT', '/api/v1/messages/stop', {})
}

async function setContacts(
  { port }: RunningContestant,
  token: string,
  ids: readonly string[],
): Promise<void> {
  const agreedToMarketingAt = new Date().toISOString()
  for (let from = 0; from < ids.length; from += atOnce)
    await Promise.all(
      ids.slice(from, from + atOnce).map((id) => {
        const contact = { email: `${id}@shop.example`, agreedToMarketingAt }
        return ask(`http://127.0.0.1:${port}`, token, 'PUT', `/api/v1/players/${id}/contact`, contact)
      }),
    )
}

async function countOf({ postgres }: Bench, slug: string): Promise<number> {
  const [found] = await postgres.query<{ count: number }>(database, countMails, [slug])
  return found?.count ?? 0
}

/** Messages alone, grants alone, and both, in turns. */
async function measure(bench: Bench, running: RunningContestant, sink: SmtpSink): Promise<void> {
  const { driver, postgres, seconds } = bench
  const turn = { connections, seconds }
  const grants = () => takeTurn(driver, { running, workId: 'grants' }, turn)
  const sending = async <T>(work: () => Promise<T>): Promise<T> => {
    await postgres.query(database, setStopped, ['bench', false])
    await postgres.query(database, makeDue, ['bench'])
    const before = sink.count()
    while (sink.count() === before) await sleep(10)
    const result = await work()
    await postgres.query(database, setStopped, ['bench', true])
    await sleep(500)
    return result
  }
  const counted = async (work: () => Promise<unknown>) => {
    const [count, server, store] = [sink.count(), serverMicros(running.pid), running.databaseMicros()]
    const began = performance.now()
    await work()
    const sent = sink.count() - count
    const micros =
      (serverMicros(running.pid) ?? 0) + (running.databaseMicros() ?? 0) - (server ?? 0) - (store ?? 0)
    return { perSecond: (1_000 * sent) / (performance.now() - began), micros: micros / sent }
  }
  const figures = {
    alone: [] as number[],
    micros: [] as number[],
    beside: [] as number[],
    grants: [] as number[],
  }
  for (let round = 1; round <= bench.roundsAt(connections); round++) {
    const alone = await sending(() => counted(() => sleep(1_000 * seconds)))
    const quiet = await grants()
    let busy = 0
    const beside = await sending(() =>
      counted(async () => {
        const { answers, seconds: took } = await grants()
        busy = answers / took
      }),
    )
    figures.alone.push(alone.perSecond)
    figures.micros.push(alone.micros)
    figures.beside.push(beside.perSecond)
    figures.grants.push(busy / (quiet.answers / quiet.seconds))
  }
  const shown = (values: readonly number[]) => showRatio(spreadOf(values))
  printTable(
    ['messages/s', 'µs each', 'messages/s beside grants', 'grants/s beside messages, against alone'],
    [[shown(figures.alone), shown(figures.micros), shown(figures.beside), shown(figures.grants)]],
  )
}

/** How long a message of another merchant takes while the first one has thousands that are due. */
async function measureNeighbour({ postgres }: Bench, sink: SmtpSink): Promise<void> {
  await postgres.query(database, setStopped, ['neighbour', false])
  const arrived = () => neighbourIds.filter((id) => sink.arrivedAt.has(`${id}@shop.example`)).length
  for (const isBusy of [false, true]) {
    await postgres.query(database, setStopped, ['bench', !isBusy])
    await sleep(1_000)
    const count = sink.count()
    const waits: number[] = []
    for (let one = 0; one < neighbourIds.length / 2; one++) {
      const [before, began] = [arrived(), performance.now()]
      await postgres.query(database, makeOneDue, ['neighbour'])
      while (arrived() === before) await sleep(5)
      waits.push(performance.now() - began)
    }
    const beside = isBusy ? `beside ${sink.count() - count} of the first` : 'alone'
    console.log(`another merchant's message, ${beside}: ${showRatio(spreadOf(waits))} ms`)
  }
}

const ofMerchant = 'merchant_id = (select merchant_id from merchants where slug = $1)'
const countMails = `select count(*)::int as count from mails where ${ofMerchant}`
const setStopped = `update mail_cursors set stopped_at = case when $2 then now() end where ${ofMerchant}`
const makeDue = `update mails set due_at = now() where ${ofMerchant} and state = 'planned' and due_at > now()`
const makeOneDue = `
update mails
set due_at = now()
where mail_id = (select mail_id from mails where ${ofMerchant} and state = 'planned' and due_at > now() limit 1)`
