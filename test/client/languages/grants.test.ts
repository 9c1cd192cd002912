import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLossyProxy } from '../../scenes/lossy-proxy.ts'
import {
  databaseUrl,
  freePort,
  makeDatabase,
  makeMerchant,
  runCli,
  spawnServer,
  times,
  until,
} from '../../scenes/scene.ts'
import { onLanding } from '../../scenes/selection.ts'
import { amountsInLedger, anyFault, faults } from '../lossy-grants.ts'
import { type Language, php, phpWithCurl, python, startDriver } from './driver.ts'

const grantCount = Number(process.env.GRANTS ?? 3_000)

/** Python has many threads in one process; PHP has many processes, half of them with curl if it is there. */
const phpCallers = times(16, (index) => (index % 2 === 0 || phpWithCurl.skip !== false ? php : phpWithCurl))
const cases: [name: string, callers: Language[]][] = [
  ['Python', [python]],
  ['PHP', phpCallers],
]

for (const [name, callers] of cases) {
  const skip = callers[0]?.skip ?? false
  test(
    `${grantCount} grants from ${name}, through a lossy proxy and kill -9 of the server, are each in the ledger once`,
    skip === false ? onLanding : { ...onLanding, skip },
    async (t) => {
      const { target, db } = await makeDatabase(t)
      const { merchant, token } = await makeMerchant(db)
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const env = { DATABASE_URL: databaseUrl(target), PORT: String(port), PUBLIC_URL: url }
      const server = await spawnServer(t, env)
      const proxy = await makeLossyProxy(t, url, anyFault)
      const started = performance.now()

      // Each grant has a unique number of spins, by which it is recognised.
      const wanted = times(grantCount, (index) => index + 1)
      const work = Promise.all(
        callers.map(async (language, index) => {
          const { call } = startDriver(t, language)
          await call('connect', { url: proxy.url, token, deadlineSeconds: 1_800, attemptSeconds: 2 })
          const spinNumbers = wanted.filter((spins) => spins % callers.length === index)
          await call('grants', { spinNumbers })
        }),
      )
      await until(() => proxy.passed.length > grantCount / 4)
      server.child.kill('SIGKILL')
      await server.stopped
      await spawnServer(t, env)
      await work

      const met = Object.groupBy(proxy.passed, ({ fault }) => fault)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      const summary = faults.map((fault) => `${fault} ${met[fault]?.length ?? 0}`).join(', ')
      t.diagnostic(`${grantCount} grants, ${proxy.passed.length} requests in ${seconds} s: ${summary}`)
      assert.deepEqual(await amountsInLedger(db, merchant.merchantId), wanted)
      const { stdout } = await runCli(['audit', '--json'], env)
      assert.partialDeepStrictEqual(JSON.parse(stdout), { players: 100, entries: grantCount, findings: [] })
    },
  )
}
