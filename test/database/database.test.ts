import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { parseConfig } from '../../src/config.ts'
import { type Database, statement, type Transaction, untilDone } from '../../src/db/database.ts'
import { DatabaseFailure } from '../../src/db/database-fault.ts'
import { type DatabaseTarget, parseDatabaseUrl } from '../../src/settings/database-url.ts'
import { nobody } from '../../src/db/embedded/account.ts'
import { findPackage, giveTo, makePrivateFolder, placeBinaries } from '../../src/db/embedded/home.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import type { Grant } from '../../src/grants/grant.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import {
  asSuperuser,
  defer,
  freePort,
  type Lifetime,
  makeDatabase,
  makeEmptyDatabase,
  makeFolder,
  makeMerchant,
  makeDatabaseProxy,
  makeServer,
  openTestDatabase,
  post,
  setDeadlines,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'

const one = statement<{ one: number }>('select 1 as one')

describe('DATABASE_URL', () => {
  const read = (url: string) => {
    const targets = parseDatabaseUrl(url)
    assert.ok(typeof targets !== 'string', `${url} ${JSON.stringify(targets)}`)
    return targets.map(({ host, port, user, password, database }) => [host, port, user, password, database])
  }

  test('hosts are read in order, each with its own port, in every syntax of libpq', () => {
    assert.deepEqual(read('postgresql://ann:pw@one:5433,two,[::1]:5434,[fe80::1]/game'), [
      ['one', 5433, 'ann', 'pw', 'game'],
      ['two', 5432, 'ann', 'pw', 'game'],
      ['::1', 5434, 'ann', 'pw', 'game'],
      ['fe80::1', 5432, 'ann', 'pw', 'game'],
    ])
    assert.deepEqual(read('postgres://db.example/game'), [['db.example', 5432, undefined, undefined, 'game']])
    assert.deepEqual(read('postgresql:///game'), [['localhost', 5432, undefined, undefined, 'game']])
    const socket = ['/run/postgresql', 5432, 'ann', undefined, 'game']
    assert.deepEqual(read('postgresql://ann@/game?host=/run/postgresql'), [socket])
    assert.deepEqual(read('postgresql://ann@%2Frun%2Fpostgresql/game'), [socket])
  })

  test('percent-encoding is decoded, and a password may contain a colon', () => {
    assert.deepEqual(read('postgresql://a%40b:p%2Fw%3A:%25@host/my%20game'), [
      ['host', 5432, 'a@b', 'p/w::%', 'my game'],
    ])
  })

  test('encryption is off by default, and a socket never needs it', () => {
    for (const url of ['postgresql://h/d', 'postgresql://%2Frun/d?sslmode=verify-full']) {
      const [target] = parseDatabaseUrl(url) as DatabaseTarget[]
      assert.equal(target?.ssl, false)
    }
  })

  test('an invalid address is refused with the reason', () => {
    for (const [url, complaint] of [
      ['mysql://h/d', /must look like postgresql:\/\//],
      ['h:5432/d', /must look like postgresql:\/\//],
      ['postgresql://h', /must name a database/],
      ['postgresql://h/d?sslmode=prefer', /unknown sslmode \(prefer\); known are disable, require/],
      ['postgresql://h/d?pool_max=5&x=1', /unknown parameters; known are sslmode/],
      ['postgresql://h:port/d', /unreadable host/],
      ['postgresql://one,,two/d', /unreadable host/],
      ['postgresql://h:65536/d', /port/],
      ['postgresql://h:0/d', /port/],
      ['postgresql://u:%zz@h/d', /could not be read/],
      ['postgresql://h/d?sslmode=verify-full&sslrootcert=/no/such', /could not be read \(ENOENT/],
    ] as const) {
      const answer = parseDatabaseUrl(url)
      assert.match(typeof answer === 'string' ? answer : `${url} was accepted`, complaint)
    }
  })

  test('no error message contains the password, however the address is malformed', () => {
    for (const url of [
      'postgresql://ann:secret@host/game?sslmode=wrong',
      'postgresql://ann:secret@host:port/game',
      'postgresql://ann:secret@host',
      'postgresql://ann:%zzsecret@host/game',
      'postgresql://host/game?user=ann&password=secret',
      'postgresql://ann:secret/game',
      'mysql://ann:secret@host/game',
      'ann:secret@host/game',
      'postgresql:/ann:secret@host/game',
      'postgresql://ann:sl/secret@host/game',
      'postgresql://ann:at@secret@host:port/game',
      'postgresql://ann:at@secret@host/game?sslmode=wrong',
      'postgresql://ann:ask?secret@host/game',
    ]) {
      const isDiscreet = (error: unknown) =>
        /DATABASE_URL/.test(String(error)) && !/secret/.test(String(error))
      assert.throws(() => parseConfig({ DATABASE_URL: url }), isDiscreet, url)
    }
  })
})

describe('a connection', { concurrency: true }, () => {
  test('has its timeouts from the start, so that nothing waits forever', async (t) => {
    const timeouts = { statementTimeoutMs: 1_234, lockTimeoutMs: 567, idleInTransactionTimeoutMs: 8_901 }
    const db = openTestDatabase(t, await makeEmptyDatabase(t), timeouts)
    assert.deepEqual(await showTimeouts(db), ['1234ms', '567ms', '8901ms'])
  })

  test('is replaced without a failed request after the server closes all connections', async (t) => {
    const server = await makeServer(t)
    const { token } = await makeMerchant(server.ctx.db)
    const grant = () =>
      post(`${server.url}/api/player/increaseSpin`, token, { playerId: 'ann', spinNumber: 1 })
    for (const round of [1, 2, 3]) {
      const answers = await Promise.all(times(20, grant))
      const failed = answers.filter((answer) => answer.status !== 200)
      assert.deepEqual(failed, [], `round ${round}`)
      assert.ok((await endBackends(server.target.database)) > 0)
    }
    assert.equal((await grant()).body.spinCount, 61)
  })

  test('that closes while it opens is replaced, and other connections stay open', async (t) => {
    const databaseProxy = await makeDatabaseProxy(t, await makeEmptyDatabase(t))
    const db = openTestDatabase(t, databaseProxy.target)
    databaseProxy.endsWhenReady = true
    assert.deepEqual(await untilDone(() => db.query(one)), [{ one: 1 }])
    assert.equal(databaseProxy.endsWhenReady, false)
  })

  test('that dies in mid-transaction has its keyed work retried and done once', async (t) => {
    const { target, db } = await makeDatabase(t)
    await db.query(statement('create table done (key text primary key)'))
    let attempts = 0
    await untilDone(() =>
      db.transaction(async (tx) => {
        attempts++
        await tx.query(statement(`insert into done values ($1)`), ['order-1'])
        if (attempts === 1) await endBackends(target.database)
        await tx.query(one)
      }),
    )
    assert.equal(attempts, 2)
    assert.deepEqual(await db.query(statement('select key from done')), [{ key: 'order-1' }])
  })

  test('is not retried after an error in a statement, which is passed on to the caller', async (t) => {
    const db = openTestDatabase(t, await makeEmptyDatabase(t))
    let attempts = 0
    const work = () => {
      attempts++
      return db.query(statement('select 1 / 0'))
    }
    const isMistake = (error: unknown) => error instanceof DatabaseFailure && error.fault === 'mistake'
    await assert.rejects(untilDone(work), isMistake)
    assert.equal(attempts, 1)
  })

  test('is shared by work of one pipeline, one after another, and replaced for all of it', async (t) => {
    const db = openTestDatabase(t, await makeEmptyDatabase(t))
    const pid = statement<{ pid: number }>('select pg_backend_pid() as pid')
    const pipeline = {}
    let other: number | undefined
    const found = await Promise.all([
      // Another session is opened while this one has its connection.
      db.session(async (connection) => {
        other = (await db.session((another) => another.query(pid), {}))[0]?.pid
        return connection.query(pid)
      }, pipeline),
      db.session((connection) => connection.query(pid), pipeline),
    ])
    const [first, second] = found.map(([row]) => row?.pid)
    assert.ok(first === second && first !== other)
    const end = statement<{ pid: number }>(
      'select pg_backend_pid() as pid, pg_terminate_backend(pg_backend_pid())',
    )
    const [known, ended, queued] = await Promise.allSettled(
      [pid, end, pid].map((sql) => db.session((connection) => connection.query(sql), pipeline)),
    )
    assert.ok(known?.status === 'fulfilled')
    for (const failed of [ended, queued])
      assert.ok(failed?.status === 'rejected' && failed.reason instanceof DatabaseFailure)
    const [after] = await db.session((connection) => connection.query(pid), pipeline)
    assert.notEqual(after?.pid, known.value[0]?.pid)
    await until(() => db.connectionsOpen <= 2)
  })

  test('in pooler mode leaves no state on the server and still grants', async (t) => {
    const { target, db } = await makeDatabase(t)
    const { merchant } = await makeMerchant(db)
    const prepared = statement<{ count: number }>('select count(*) from pg_prepared_statements')
    for (const pooler of [false, true]) {
      const own = openTestDatabase(t, target, { pooler, poolMax: 1, statementTimeoutMs: 4_000 })
      const order = makeGrant(merchant.merchantId, { key: `pooler ${pooler}` })
      const [verdict] = await grantSpins(own, [order], new Date())
      assert.equal(verdict?.outcome, 'granted')
      const [{ count } = { count: -1 }] = await own.query(prepared)
      assert.equal(count === 0, pooler, `${count} prepared statements`)
      assert.equal((await showTimeouts(own))[0], pooler ? '0' : '4s')
    }
  })
})

describe('several hosts', { concurrency: true }, () => {
  test('the next host is used if nothing listens on the first', async (t) => {
    const alive = await makeEmptyDatabase(t)
    const dead = { ...alive, host: '127.0.0.1', port: await freePort() }
    const db = openTestDatabase(t, alive, { targets: [dead, alive] })
    const answers = await Promise.all(times(10, () => untilDone(() => db.query(one))))
    assert.equal(answers.flat().length, 10)
  })

  test('the next host is used if the first is read-only', async (t) => {
    const [standby, primary] = [await makeEmptyDatabase(t), await makeEmptyDatabase(t)]
    await asSuperuser('postgres', (client) =>
      client.query(`alter database ${standby.database} set default_transaction_read_only = on`),
    )
    const db = openTestDatabase(t, primary, { targets: [standby, primary] })
    await untilDone(() => db.query(statement('create table here (id int)')))
    const [where] = await untilDone(() =>
      db.query(statement<{ name: string }>('select current_database() as name')),
    )
    assert.equal(where?.name, primary.database)
  })

  test('the next host is used by all concurrent requests if the first does not respond', async (t) => {
    const alive = await makeEmptyDatabase(t)
    const databaseProxy = await makeDatabaseProxy(t, alive)
    databaseProxy.isSilent = true
    setDeadlines(t, { connectMs: 3_000 })
    const db = openTestDatabase(t, alive, {
      targets: [databaseProxy.target, alive],
      statementTimeoutMs: 4_000,
    })
    const answers = await Promise.all(times(2, () => untilDone(() => db.query(one))))
    assert.deepEqual(answers.flat(), [{ one: 1 }, { one: 1 }])
  })
})

describe('a database that does not respond', { concurrency: true }, () => {
  const lifetime = suiteLifetime()
  before(() => setDeadlines(lifetime, { operationMs: 5_000, connectMs: 3_000, queueWaitMs: 1_000 }))

  test('makes requests fail with 503 and Retry-After at the deadline, and not later', async (t) => {
    const { target, db: direct } = await makeDatabase(t)
    const { token } = await makeMerchant(direct)
    const databaseProxy = await makeDatabaseProxy(t, target)
    const db = openTestDatabase(t, databaseProxy.target, { statementTimeoutMs: 4_000 })
    const server = await makeServer(t, { database: { target, db } })
    defer(t, databaseProxy.cut)
    const grant = () =>
      post(`${server.url}/api/player/increaseSpin`, token, { playerId: 'ann', spinNumber: 1 })
    assert.equal((await grant()).status, 200)
    databaseProxy.isSilent = true
    const started = performance.now()
    // More requests than the pool has connections, so that some wait for one.
    const answers = await Promise.all(times(20, grant))
    for (const { status, headers, body } of answers) {
      assert.deepEqual([status, body.retryable], [503, true])
      assert.ok(body.code === 'database_unavailable' || body.code === 'overloaded', String(body.code))
      assert.equal(headers.get('retry-after'), '1')
    }
    // Many times the deadline, since the machine may be slow. Without a deadline it would be forever.
    assert.ok(performance.now() - started < 50_000)
  })

  test('has its connections closed, so that they do not fill the pool once it is back', async (t) => {
    const databaseProxy = await makeDatabaseProxy(t, await makeEmptyDatabase(t))
    const db = openTestDatabase(t, databaseProxy.target, { poolMax: 2, statementTimeoutMs: 4_000 })
    defer(t, databaseProxy.cut)
    const ask = () => untilDone(() => db.query(one))
    await Promise.all([ask(), ask()])
    databaseProxy.isSilent = true
    await Promise.all(times(2, () => assert.rejects(ask(), { code: 'database_unavailable' })))
    databaseProxy.isSilent = false
    assert.deepEqual(await ask(), [{ one: 1 }])
  })
})

test('a failing last statement, even one that fails before it is sent, leaves nothing committed', async (t) => {
  const { db } = await makeDatabase(t)
  await db.query(statement('create table notes (text text not null)'))
  const insert = statement('insert into notes select unnest($1::text[])')
  const nested = async (work: () => Promise<unknown>): Promise<unknown> => await work()
  for (const bad of [
    (tx: Transaction) => tx.query(insert, [[null]]),
    (tx: Transaction) => tx.query(insert, [[{ no: 'array holds this' }]]),
    // The driver refuses another text under the name of a prepared statement, and reports it in a later tick.
    (tx: Transaction) => tx.query({ name: insert.name, text: `${insert.text} ` }, [['twice']]),
    (tx: Transaction) => nested(() => nested(() => tx.query(insert, [[{ no: 'array holds this' }]]))),
  ]) {
    const attempt = db.transaction(async (tx) => {
      await tx.query(insert, [['early']])
      await tx.commitWith([tx.query(insert, [['late']]), bad(tx), tx.query(insert, [['later']])])
    })
    await assert.rejects(attempt)
    assert.deepEqual(await db.query(statement('select * from notes')), [])
  }
})

test('in an array of grants a refused one does not affect the others', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const order = (changes: Partial<Grant>) => makeGrant(merchant.merchantId, changes)
  const rich = times(1_000, (index) => order({ playerId: 'rich', key: `rich-${index}`, amount: 1_000_000 }))
  await grantSpins(db, rich, new Date())
  const mix = [
    [order({ key: 'a', amount: 5 }), 'granted 5'],
    [order({ key: 'b', amount: 51, callMax: 50 }), 'grant_limit_exceeded'],
    [order({ key: 'a', amount: 5 }), 'replayed 5'],
    [order({ key: 'a', amount: 6 }), 'idempotency_key_reused'],
    [order({ playerId: 'stranger', key: 'c', mayCreatePlayer: false }), 'player_not_found'],
    [order({ playerId: 'rich', key: 'd', amount: 1 }), 'balance_limit_exceeded'],
    [order({ playerId: 'bob', key: 'e', amount: 8, dailyMax: 10 }), 'granted 8'],
    [order({ playerId: 'bob', key: 'f', amount: 3, dailyMax: 10 }), 'daily_grant_limit_exceeded'],
    [order({ key: 'g', amount: 7 }), 'granted 12'],
  ] as const
  const [orders, expected] = [mix.map(([given]) => given), mix.map(([, verdict]) => verdict)]
  const verdicts = await grantSpins(db, orders, new Date())
  const outcomes = verdicts.map((verdict) =>
    'code' in verdict ? verdict.code : `${verdict.outcome} ${verdict.balance}`,
  )
  assert.deepEqual(outcomes, expected)
  const report = await auditLedger(db)
  assert.deepEqual([report.players, report.entries, report.findings], [3, 1_003, []])
})

// Only OpenSSL 3 signs with an authority in one step; macOS has another program of that name.
const openssl = String(spawnSync('openssl', ['version']).stdout)
const skip = openssl.startsWith('OpenSSL 3') ? false : 'there is no OpenSSL 3 to make certificates with'

describe('TLS', { skip }, () => {
  let url: (host: string, parameters: string) => string
  let folder: string
  const lifetime = suiteLifetime()
  before(async () => {
    folder = makeFolder(lifetime)
    const port = await startTlsPostgres(lifetime, folder)
    url = (host, parameters) => `postgresql://postgres@${host}:${port}/postgres?${parameters}`
  })
  const isEncrypted = async (t: Lifetime, address: string) => {
    const targets = parseDatabaseUrl(address)
    assert.ok(typeof targets !== 'string', JSON.stringify(targets))
    const db = openTestDatabase(t, targets[0] as DatabaseTarget)
    const rows = await db.query(
      statement<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()'),
    )
    return rows[0]?.ssl
  }
  const ours = () => `sslrootcert=${join(folder, 'ours.crt')}`
  const other = () => `sslrootcert=${join(folder, 'other.crt')}`

  test('require encrypts, with any certificate', async (t) => {
    await assert.rejects(isEncrypted(t, url('127.0.0.1', 'sslmode=disable')), /no encryption/)
    assert.equal(await isEncrypted(t, url('127.0.0.1', 'sslmode=require')), true)
  })

  test('require with an authority checks it, as in libpq', async (t) => {
    assert.equal(await isEncrypted(t, url('127.0.0.1', `sslmode=require&${ours()}`)), true)
    await assert.rejects(isEncrypted(t, url('127.0.0.1', `sslmode=require&${other()}`)), /certificate/)
  })

  test('verify-ca checks the authority and not the name', async (t) => {
    assert.equal(await isEncrypted(t, url('127.0.0.1', `sslmode=verify-ca&${ours()}`)), true)
    await assert.rejects(isEncrypted(t, url('127.0.0.1', `sslmode=verify-ca&${other()}`)), /certificate/)
  })

  test('verify-full checks the authority and the name', async (t) => {
    assert.equal(await isEncrypted(t, url('localhost', `sslmode=verify-full&${ours()}`)), true)
    await assert.rejects(isEncrypted(t, url('127.0.0.1', `sslmode=verify-full&${ours()}`)), /altnames/)
    await assert.rejects(isEncrypted(t, url('localhost', `sslmode=verify-full&${other()}`)), /certificate/)
    await assert.rejects(isEncrypted(t, url('localhost', 'sslmode=verify-full')), /certificate/)
  })
})

function makeGrant(merchantId: number, changes: Partial<Grant>): Grant {
  const order = { merchantId, playerId: 'ann', kind: 'grant', amount: 1, key: 'order', reason: null } as const
  return { ...order, mayCreatePlayer: true, callMax: 1_000_000, dailyMax: null, ...changes }
}

async function showTimeouts(db: Database): Promise<string[]> {
  const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  const show = (name: string) => db.query(statement<Record<string, string>>(`show ${name}`))
  const rows = (await Promise.all(names.map(show))).flat()
  return rows.map((row) => Object.values(row)[0] as string)
}

async function endBackends(database: string): Promise<number> {
  return asSuperuser('postgres', async (client) => {
    const ended = await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1`,
      [database],
    )
    return ended.rowCount ?? 0
  })
}

/** A PostgreSQL on loopback that accepts only encrypted connections, with a certificate for `localhost`. */
async function startTlsPostgres(t: Lifetime, folder: string): Promise<number> {
  const account = process.getuid?.() === 0 ? nobody() : undefined
  const { bin } = placeBinaries(findPackage(), folder, account)
  const cluster = join(folder, 'cluster')
  makePrivateFolder(cluster, account)
  const initdb = ['-D', cluster, '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C']
  execFileSync(join(bin, 'initdb'), initdb, { ...account, cwd: '/' })
  makeCertificates(folder)
  giveTo(account, join(cluster, 'server.key'))
  writeFileSync(join(cluster, 'pg_hba.conf'), 'hostssl all all all trust\n')
  const port = await freePort()
  const settings = `port=${port} listen_addresses=127.0.0.1 unix_socket_directories= ssl=on`
  const flags = settings.split(' ').flatMap((setting) => ['-c', setting])
  const postmaster = spawn(join(bin, 'postgres'), ['-D', cluster, ...flags], { ...account, cwd: '/' })
  const ended = once(postmaster, 'exit')
  let log = ''
  postmaster.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  defer(t, async () => {
    postmaster.kill('SIGINT')
    await ended
  })
  await until(() => {
    assert.equal(postmaster.exitCode, null, log)
    return log.includes('ready to accept connections')
  })
  return port
}

function makeCertificates(folder: string): void {
  const make = (name: string, subject: string, ...more: string[]) => {
    const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.crt`)]
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const args = ['req', '-x509', '-days', '2', '-subj', `/CN=${subject}`, ...key, ...files, ...more]
    execFileSync('openssl', args, { stdio: 'pipe' })
  }
  const signedByUs = ['-CA', join(folder, 'ours.crt'), '-CAkey', join(folder, 'ours.key')]
  make('ours', 'Our authority')
  make('other', 'Another authority')
  make('cluster/server', 'localhost', ...signedByUs, '-addext', 'subjectAltName=DNS:localhost')
}
