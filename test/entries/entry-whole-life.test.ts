// What visitors tell, followed through everything that the program does with it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { tidyEntries } from '../../src/entries/tidy-entries.ts'
import { sealKeyOf } from '../../src/integrity/seal-hash.ts'
import { sealAll } from '../../src/integrity/seal-ledger.ts'
import { entryPageOf, entrySettings } from '../scenes/entry-scene.ts'
import { alwaysWins, makeManagementApi } from '../scenes/management-scene.ts'
import { makeReceiver } from '../scenes/receivers.ts'
import {
  asSuperuser,
  databaseUrl,
  freePort,
  makeFolder,
  makeServer,
  notOnCluster,
  runCli,
  spawnServer,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeTestMailbox } from '../scenes/test-mailbox.ts'

const day = 86_400_000
const secret = 'ab'.repeat(32)

/** One answer of each kind, and what a visitor's browser sends beside them. */
const told = (name: string) => ({
  answers: {
    email: `Marker.${name}+spin@gmail.com`,
    name: `Nora ${name}`,
    phone: name === 'ann' ? '+49 30 47110815' : '+49 30 47120816',
    birth: { year: 1931, month: 7 },
    size: 'xl',
    remark: `Remark of ${name}, with "quotes"`,
    news: true,
  },
  headers: { 'X-Forwarded-For': '203.0.113.77', 'User-Agent': `agent-of-${name}` },
})

/** What none of it may leave anywhere. The address also as it is folded, and the rest as JSON and URLs write it. */
const markers = ['ann', 'bob'].flatMap((name) => [
  `arker.${name}`,
  `marker${name}`,
  `Nora ${name}`,
  `Nora%20${name}`,
  `Remark of ${name}`,
  `agent-of-${name}`,
])
const allMarkers = [...markers, '30 47110815', '30 47120816', '"year":1931', '1931-07', '203.0.113']

test(
  'what visitors type is nowhere in clear: tables, files, events, webhooks, mails, log, metrics, traces, archives',
  { ...onLanding, ...notOnCluster },
  async (t) => {
    const [mailbox, receiver, collector] = await Promise.all([
      makeTestMailbox(t),
      // The first attempt fails, so that it is kept.
      makeReceiver(t, ({ body }, response) =>
        response.writeHead(body.length % 2 === 0 ? 500 : 200).end(body),
      ),
      makeReceiver(t, (_, response) => void response.end('{}')),
    ])
    const folder = makeFolder(t)
    const quiet = await makeServer(t, { env: { SEAL_INTERVAL_SECONDS: '0', WEBHOOKS: 'off' } })
    const { db } = quiet.ctx
    const metricsPort = await freePort()
    const ofDatabase = { DATABASE_URL: databaseUrl(quiet.target) }
    const server = await spawnServer(t, {
      ...ofDatabase,
      LOG_LEVEL: 'trace',
      METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
      OTEL_TRACES_SAMPLER_ARG: '1',
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'spins@acme.example',
      SEAL_INTERVAL_SECONDS: '0',
      TRUST_PROXY: '127.0.0.1',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_RETRY_PAUSES: '1s,1s',
    })
    const api = await makeManagementApi({ ...quiet, url: server.url })
    await api.publish(alwaysWins({ stock: 9 }))
    const webhook = await api.call('POST', '/webhooks', { url: receiver.url })
    assert.equal(webhook.status, 200, webhook.text)
    await api.call('PATCH', '/campaigns/main', { closesAt: new Date(Date.now() + day).toISOString() })
    const page = entryPageOf(server, api, 'main')
    await page.setUp({ verify: 'code', fields })
    const { body: shown } = await page.show()

    const submit = async (answers: object, headers: Record<string, string>) => {
      const form = { formVersion: shown.form.version, language: 'en', terms: shown.terms.hash }
      return page.send('/entries', { ...form, answers }, { ...headers, 'Idempotency-Key': randomUUID() })
    }
    const live = async (name: string) => {
      const { answers, headers } = told(name)
      const wrong = await submit({ ...answers, birth: { year: 1931, month: 13 } }, headers)
      assert.equal(wrong.body.code, 'validation_failed')
      assert.equal((await submit({ ...answers, email: `marker.${name}@` }, headers)).status, 422)
      const { session } = (await submit(answers, headers)).body
      const own = () => mailbox.mails.find(({ to }) => to[0] === answers.email)
      await until(() => own() !== undefined)
      const code = /^Subject: ([0-9]{6}) /m.exec(own()?.text ?? '')?.[1]
      const entered = await page.send('/proof', { session, code }, headers)
      assert.equal(entered.body.outcome, 'entered', JSON.stringify(entered.body))
      const game = await page.open(entered)
      const { playId } = await api.spin(game)
      const claimed = await api.call('PUT', `/prizes/${playId}/claim`, {})
      assert.equal(claimed.status, 200, claimed.text)
      return game.playerId as string
    }
    const [ann, bob] = [await live('ann'), await live('bob')]
    // One that waits for its code, which is never typed.
    const waiting = await submit({ ...told('ann').answers, email: 'Marker.ann.waits@shop.example' }, {})
    assert.equal(waiting.body.outcome, 'code_sent')
    const address = encodeURIComponent(told('ann').answers.email)
    for (const path of [
      `/campaigns/main/entries?address=${address}`,
      `/campaigns/main/entries/export?format=ndjson&address=${address}`,
      '/campaigns/main/entries/export?format=csv',
      '/campaigns/main/entries/export?format=xlsx',
      `/players/${ann}/personal-data`,
    ]) {
      const { status, text } = await api.call('GET', path)
      assert.equal(status, 200, text)
      if (!path.includes('xlsx')) assert.ok(text.includes('Nora ann'), path)
    }
    await until(() => receiver.received.some(({ body }) => body.includes('entry.created')))

    const backup = async (name: string) => {
      const { code, stderr } = await runCli(['backup', '--portable', '--to', join(folder, name)], ofDatabase)
      assert.equal(code, 0, stderr)
    }
    await backup('backup-before')
    const erased = await api.call('DELETE', `/players/${ann}/personal-data`)
    assert.equal(erased.status, 200, erased.text)
    await api.call('PUT', `/players/${bob}/consents/withdrawal`, {})
    await tidyEntries(db, new Date(Date.now() + 92 * day))
    await sealAll(db, { now: new Date(Date.now() - 60 * day), key: sealKeyOf(secret) })
    const before = new Date(Date.now() - 40 * day).toISOString()
    const archive = { ...ofDatabase, ARCHIVE_DIR: join(folder, 'archive'), SEAL_KEY: secret }
    const archived = await runCli(['archive', '--before', before], archive)
    assert.equal(archived.code, 0, archived.stderr)
    await backup('backup-after')

    /** Where the merchant's own texts were found, which stand in clear: so the search works. */
    const searched = new Set<string>()
    const lookIn = (where: string, text: string) => {
      if (text.includes('Acme Ltd')) searched.add(where)
      for (const marker of allMarkers) assert.ok(!text.includes(marker), `${marker} in ${where}`)
    }
    const files = globSync(join(folder, '**', '*.zst'))
    assert.ok(files.some((file) => file.includes('archive')) && files.length > 20, files.join(' '))
    for (const file of files) lookIn(file, zstdDecompressSync(readFileSync(file)).toString('latin1'))
    lookIn('webhooks', receiver.received.map(({ body }) => body).join())
    lookIn('metrics', await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
    lookIn('the log', server.output())
    lookIn('the output of commands', archived.stdout)
    const events = await api.call('GET', '/events?limit=1000')
    assert.ok(events.text.includes('entry.verified') || events.text.includes('entry.created'))
    lookIn('events', events.text)
    await asSuperuser(quiet.target.database, async (client) => {
      const tables = await client.query(`select tablename from pg_tables where schemaname = 'public'`)
      for (const { tablename } of tables.rows) {
        const { rows } = await client.query(`select one::text as row from ${tablename} as one`)
        for (const { row } of rows) {
          lookIn(tablename, row)
          for (const [, hex] of String(row).matchAll(/\\x([0-9a-f]+)/g))
            lookIn(tablename, Buffer.from(hex ?? '', 'hex').toString('latin1'))
        }
      }
      // Also what PostgreSQL has deleted, and not yet written over.
      await client.query('checkpoint')
      const [place] = (
        await client.query(
          `select current_setting('data_directory') || '/base/' || oid as folder
        from pg_database where datname = current_database()`,
        )
      ).rows
      const pages = globSync(join(place.folder, '*'))
      assert.ok(pages.length > 100, place.folder)
      for (const file of pages) lookIn('pages', readFileSync(file).toString('latin1'))
    })
    const backups = [...searched].filter((where) => where.includes('/backup-')).length
    assert.ok(searched.has('entry_forms') && searched.has('pages') && backups >= 2, [...searched].join(' '))
    server.child.kill('SIGTERM')
    await server.stopped
    const traces = collector.received.map(({ body }) => body).join('\n')
    assert.ok(traces.includes('/entries'))
    lookIn('traces', traces)
    lookIn('the log', server.output())
  },
)

const [email, name, news] = entrySettings.fields
const asked = { isRequired: false, when: 'entry' }
const fields = [
  email,
  name,
  { id: 'phone', kind: 'phone', labels: { en: 'Telephone' }, ...asked },
  { id: 'birth', kind: 'birth', labels: { en: 'Month of birth' }, ...asked, minimumAge: 18 },
  {
    id: 'size',
    kind: 'choice',
    labels: { en: 'Size' },
    ...asked,
    options: [{ id: 'xl', labels: { en: 'XL' } }],
  },
  { id: 'remark', kind: 'text', labels: { en: 'Remark' }, ...asked },
  news,
]
