import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { Command } from 'commander'
import { addAuditCommand } from '../../src/cli/checks/audit.ts'
import { addDoctorCommand } from '../../src/cli/checks/doctor.ts'
import { addHealthCommand } from '../../src/cli/checks/health.ts'
import { addKeyCommands } from '../../src/cli/access/keys.ts'
import { addMerchantCommands } from '../../src/cli/merchants/merchant.ts'
import { addMigrateCommand } from '../../src/cli/database/migrate.ts'
import { addLinkCommand } from '../../src/cli/access/link.ts'
import { addServeCommand } from '../../src/cli/server/serve.ts'
import { addTokenCommands } from '../../src/cli/access/token.ts'
import { describeBuild, readBuild } from '../../src/version.ts'
import {
  asSuperuser,
  databaseUrl,
  freePort,
  makeEmptyDatabase,
  makeMerchant,
  makeFolder,
  makeServer,
  post,
  repository,
  runCli,
  type Server,
  suiteLifetime,
} from '../scenes/scene.ts'
import { onLanding, someOf } from '../scenes/selection.ts'

type Run = Awaited<ReturnType<typeof runCli>>

/** A message for a person: no stack trace, no dump, exit code 1. */
function assertUserError(run: Run, sentence: RegExp): void {
  assert.equal(run.code, 1, run.stdout + run.stderr)
  assert.match(run.stderr, sentence)
  assert.doesNotMatch(run.stdout + run.stderr, /^\s+at |node:internal|"stack"|\{/m)
  assert.ok(run.stderr.trim().split('\n').length <= 2, run.stderr)
}

const addCommands = [
  addServeCommand,
  addMigrateCommand,
  addMerchantCommands,
  addTokenCommands,
  addKeyCommands,
  addLinkCommand,
  addAuditCommand,
  addHealthCommand,
  addDoctorCommand,
]

const commands = [
  'serve',
  'migrate',
  'audit',
  'seals',
  'health',
  'doctor',
  'merchant create',
  'merchant list',
  'merchant suspend',
  'merchant resume',
  'merchant set',
  'token issue',
  'token list',
  'token revoke',
  'token rotate',
  'keys list',
  'keys rotate',
  'keys revoke',
  'link revoke',
]

describe('the wheelhouse command line', { concurrency: 4 }, () => {
  let server: Server
  let env: Record<string, string>
  const lifetime = suiteLifetime()
  before(async () => {
    server = await makeServer(lifetime)
    env = { DATABASE_URL: databaseUrl(server.target) }
  })
  const cli = (...args: string[]) => runCli(args, env)
  /** The output of a command with `--json`. */
  async function jsonOutput(...args: string[]): Promise<unknown> {
    const run = await cli(...args, '--json')
    assert.deepEqual([run.code, run.stderr], [0, ''])
    return JSON.parse(run.stdout)
  }
  /** The output of a command for a person. */
  async function textOutput(...args: string[]): Promise<string> {
    const run = await cli(...args)
    assert.deepEqual([run.code, run.stderr], [0, ''])
    return run.stdout
  }

  test('every command is in the help, with its own description', onLanding, async () => {
    const { code, stdout: help } = await cli('--help')
    assert.equal(code, 0)
    for (const command of commands)
      assert.match(help, new RegExp(`^  ${command.split(' ')[0]}\\b.* {2}\\w`, 'm'))
    assert.equal((await cli('--version')).stdout, `${describeBuild(readBuild())}\n`)
    const { stdout: own } = await cli('token', 'rotate', '--help')
    assert.match(
      own,
      /^Usage: wheelhouse token rotate \[options\] <identifier>\n\n\w.{20}[^]*--grace <time>.*\(default: 1d\)/,
    )
    // A process per command would take as long as the rest of this file.
    const program = new Command('wheelhouse')
    for (const add of addCommands) add(program)
    const leaves = program.commands.flatMap((one) =>
      one.commands.length === 0
        ? [[one.name(), one] as const]
        : one.commands.map((leaf) => [`${one.name()} ${leaf.name()}`, leaf] as const),
    )
    assert.deepEqual(leaves.map(([name]) => name).toSorted(), commands.toSorted())
    for (const [name, leaf] of leaves)
      assert.match(leaf.helpInformation(), new RegExp(`^Usage: wheelhouse ${name}\\b.*\n\n\\w.{8}`))
  })

  test('a merchant is created, listed, configured, suspended and resumed', onLanding, async () => {
    assert.match(await textOutput('merchant', 'create', 'first'), /Created merchant first.*token issue first/)
    const created = await jsonOutput('merchant', 'create', 'acme', '--name', 'Acme Games')
    const expected = {
      id: 'acme',
      name: 'Acme Games',
      state: 'active',
      strictPlayers: false,
      grantMax: 1_000_000,
      dailyGrantMax: null,
      supportDailyGrantMax: 100,
      linkLifetimeSeconds: 86_400,
      spinLifetimeDays: null,
      spinExpiryNoticeHours: 24,
      redemptionReversalHours: 24,
      embedOrigins: [],
      timeZone: 'UTC',
      currency: null,
    }
    const { createdAt, ...facts } = created as typeof expected & { createdAt: string }
    assert.deepEqual(facts, expected)
    assert.ok(Date.parse(createdAt) <= Date.now())
    assert.match(await textOutput('merchant', 'list'), /^id .*\n(.*\n)*acme +Acme Games +active/)
    const listed = (await jsonOutput('merchant', 'list')) as { id: string }[]
    assert.ok(['acme', 'first'].every((id) => listed.some((merchant) => merchant.id === id)))
    const limits = ['--strict-players', 'on', '--grant-max', '50', '--daily-grant-max', '200']
    const set = await jsonOutput('merchant', 'set', 'acme', ...limits, '--link-lifetime', '5m')
    const changed = { strictPlayers: true, grantMax: 50, dailyGrantMax: 200, linkLifetimeSeconds: 300 }
    assert.deepEqual(set, { ...expected, ...changed, createdAt })
    assert.match(
      await textOutput('merchant', 'set', 'acme', '--daily-grant-max', 'none'),
      /acme .* true +50 +- +100 +300/,
    )
    const place = ['--time-zone', 'Asia/Tokyo', '--currency', 'JPY']
    const tokyo = (await jsonOutput('merchant', 'create', 'tokyo', ...place)) as typeof expected
    assert.deepEqual([tokyo.timeZone, tokyo.currency], ['Asia/Tokyo', 'JPY'])
    const without = (await jsonOutput('merchant', 'set', 'tokyo', '--currency', 'none')) as typeof expected
    assert.deepEqual([without.timeZone, without.currency], ['Asia/Tokyo', null])
    assert.equal(await textOutput('merchant', 'suspend', 'acme'), 'Merchant acme is suspended.\n')
    assert.equal(((await jsonOutput('merchant', 'resume', 'acme')) as typeof expected).state, 'active')
    assert.equal(((await jsonOutput('merchant', 'suspend', 'acme')) as typeof expected).state, 'suspended')
    assert.equal(await textOutput('merchant', 'resume', 'acme'), 'Merchant acme is active.\n')
  })

  test(
    'a token is issued, shown once, listed without its secret, rotated and revoked',
    onLanding,
    async () => {
      const { merchant } = await makeMerchant(server.ctx.db)
      const { slug } = merchant
      const printed = await textOutput('token', 'issue', slug)
      const [token = ''] = printed.split('\n')
      assert.match(printed, /^\S+:[0-9a-f]{64}\n\nSave it now: it can't be shown again/)
      const grant = (by: string) =>
        post(`${server.url}/api/player/increaseSpin`, by, { playerId: 'ann', spinNumber: 1 })
      assert.equal((await grant(token)).status, 200, 'the token works as printed')
      const options = ['--name', 'shop', '--scopes', 'links, spins,links', '--expires', '90d']
      const second = (await jsonOutput('token', 'issue', slug, ...options)) as { token: string }
      assert.equal((await grant(second.token)).status, 200)
      const list = (await jsonOutput('token', 'list', slug)) as Record<string, unknown>[]
      const shop = list.find((row) => row.name === 'shop')
      assert.deepEqual([shop?.state, shop?.scopes, list.length], ['live', ['links', 'spins'], 3])
      assert.equal(Date.parse(String(shop?.expiresAt)) - Date.parse(String(shop?.createdAt)), 90 * 86_400_000)
      const table = await textOutput('token', 'list', slug)
      assert.match(table, /^identifier .*\n(.*\n){3}$/)
      for (const one of [token, second.token])
        assert.ok(!(table + JSON.stringify(list)).includes(one.split(':')[1] as string))
      // The whole token is accepted as its identifier, because it is what people have at hand.
      const rotated = (await jsonOutput('token', 'rotate', second.token, '--grace', '0s')) as Record<
        string,
        string
      >
      assert.equal((await grant(rotated.token as string)).status, 200)
      const id = (rotated.token as string).split(':')[0] as string
      assert.match(
        await textOutput('token', 'rotate', id),
        new RegExp(`^\\S+:[0-9a-f]{64}\n\n.*${id} works until 2`),
      )
      assert.equal(await textOutput('token', 'revoke', id), `Revoked ${id}.\n`)
      const firstId = token.split(':')[0] as string
      assert.deepEqual(await jsonOutput('token', 'revoke', firstId), { revoked: firstId })
      const states = ((await jsonOutput('token', 'list', slug)) as { state: string }[]).map(
        (row) => row.state,
      )
      assert.deepEqual(states.toSorted(), ['live', 'live', 'revoked', 'revoked', 'revoked'])
    },
  )

  test(
    'signing keys are listed without secrets, rotated and revoked, except the last one',
    onLanding,
    async (t) => {
      const own = await makeServer(t)
      const url = { DATABASE_URL: databaseUrl(own.target) }
      const run = async (...args: string[]) => (await runCli(['keys', ...args], url)).stdout
      const keys = JSON.parse(await run('list', '--json')) as { keyId: string; purpose: string }[]
      const first = keys.find((key) => key.purpose === 'links')
      assert.deepEqual(Object.keys(first ?? {}), ['keyId', 'purpose', 'algorithm', 'createdAt', 'revokedAt'])
      const firstId = first?.keyId as string
      assertUserError(
        await runCli(['keys', 'revoke', firstId], url),
        /only live key. Run `wheelhouse keys rotate` /,
      )
      const seeds = keys.find((key) => key.purpose === 'seeds')?.keyId as string
      assertUserError(
        await runCli(['keys', 'revoke', seeds], url),
        /Run `wheelhouse keys rotate --seeds` first/,
      )
      const { keyId } = JSON.parse(await run('rotate', '--json')) as { keyId: string }
      assert.match(await run('rotate'), /^Key \w+ is used for links from now on/)
      assert.match(await run('list'), new RegExp(`^keyId .*\n(.*\n)*${keyId} +links +HS256`))
      assert.match(await run('revoke', firstId), new RegExp(`^Revoked key ${firstId}`))
      assert.deepEqual(JSON.parse(await run('revoke', keyId, '--json')), { revoked: keyId })
      assertUserError(await runCli(['keys', 'revoke', 'nokey'], url), /There is no key nokey/)
      const listed = JSON.parse(await run('list', '--json')) as { revokedAt: string | null }[]
      assert.equal(listed.filter((key) => key.revokedAt === null).length, 2)
      assert.match(await run('rotate', '--seeds'), /^Key \w+ is used for seeds from now on/)
    },
  )

  test('links are revoked one by one, by player, and by merchant', onLanding, async () => {
    const { merchant, token: own } = await makeMerchant(server.ctx.db)
    const { slug } = merchant
    const make = async (playerId: string) =>
      (await post(`${server.url}/api/game/sso`, own, { playerId })).body as { link: string; token: string }
    const isOpen = async (token: string) =>
      (await post(`${server.url}/api/v1/game/session`, undefined, { token })).body.code ?? 'open'
    const links = [
      await make('ann'),
      await make('ann'),
      await make('ann'),
      await make('bob'),
      await make('cy'),
    ]
    const states = () => Promise.all(links.map(({ token }) => isOpen(token)))
    const [dead, open] = ['game_token_revoked', 'open']
    assert.equal(await textOutput('link', 'revoke', slug, '--token', links[0]?.token as string), 'Revoked.\n')
    const byLink = await jsonOutput('link', 'revoke', slug, '--token', links[1]?.link as string)
    assert.deepEqual(byLink, { revoked: true })
    assert.deepEqual(await states(), [dead, dead, open, open, open])
    await textOutput('link', 'revoke', slug, '--player', 'ann')
    assert.deepEqual(await states(), [dead, dead, dead, open, open])
    await textOutput('link', 'revoke', slug, '--all')
    assert.deepEqual(await states(), [dead, dead, dead, dead, dead])
    const none = await cli('link', 'revoke', slug)
    assertUserError(none, /exactly one of --token, --player and --all/)
    assertUserError(await cli('link', 'revoke', slug, '--all', '--player', 'ann'), /exactly one of/)
    assertUserError(await cli('link', 'revoke', slug, '--token', 'x'), /neither a game token nor a game link/)
    assertUserError(await cli('link', 'revoke', slug, '--player', 'nobody'), /has no player "nobody"/)
  })

  test('a command that merchants now have by the API names its replacement', async () => {
    for (const [args, replacement] of [
      [['webhook', 'add', 'acme'], 'api GET webhooks'],
      [['test', 'clock', 'test-acme', '--set', 'x'], 'api GET test/clock'],
    ] as const) {
      const run = await cli(...args)
      assertUserError(run, new RegExp(`was replaced by .*: wheelhouse client ${replacement}\\. See docs/`))
    }
  })

  test('links lead to the running server, also if the command has other settings', async (t) => {
    const own = await makeServer(t, { env: { PUBLIC_URL: 'https://wheel.example' } })
    const url = { DATABASE_URL: databaseUrl(own.target) }
    const { stdout } = await runCli(['staff', 'invite', 'anna@shop.example', '--operator'], url)
    assert.match(stdout, /^https:\/\/wheel\.example\/console\/welcome#/)
  })

  const mistakes: [string, RegExp][] = [
    ['merchant create taken', /is already a merchant with the id "taken"/],
    ['merchant create Wrong_Id', /lower-case letters, digits and dashes/],
    ['merchant create empty --name=', /name must have 1 to 200/],
    [`merchant create long --name=${'x'.repeat(201)}`, /name must have 1 to 200/],
    ['token issue taken --name=', /name must have 1 to 200/],
    ['merchant suspend nobody', /no merchant with the id "nobody"/],
    ['merchant set nobody --grant-max 5', /no merchant with the id "nobody"/],
    ['merchant set taken --grant-max 0', /whole number from 1 to 1000000/],
    ['merchant set taken --strict-players maybe', /on or off/],
    ['merchant set taken --link-lifetime 4m', /5m to 30d/],
    ['merchant set taken --link-lifetime 31d', /5m to 30d/],
    ['token issue nobody', /no merchant with the id "nobody"/],
    ['token issue taken --scopes spins,cake', /Choose from spins, links, manage/],
    ['token issue taken --expires soon', /30s, 15m, 24h or 90d/],
    ['token issue taken --expires 0d', /would have expired already/],
    ['token issue taken --expires 5000000d', /The largest value is 999999d/],
    ['token rotate x --grace 9999999999d', /The largest value is 999999d/],
    ['token rotate x --grace 5', /30s, 15m, 24h or 90d/],
    ['token list nobody', /no merchant with the id "nobody"/],
    ['token revoke nobody-1', /no token with the identifier "nobody-1"/],
    ['token rotate nobody-1', /no token with the identifier "nobody-1"/],
    ['link revoke nobody --all', /no merchant with the id "nobody"/],
    ['merchant create', /missing required argument/],
    ['merchant create x --currency EURO', /code of a currency/],
    ['cake', /unknown command 'cake'/],
    ['test cake', /unknown command 'cake'/],
  ]
  test('a user error prints one sentence and no stack trace, with exit code 1', onLanding, async (t) => {
    await cli('merchant', 'create', 'taken')
    for (const [line, sentence] of someOf(mistakes))
      await t.test(line.slice(0, 60), async () => assertUserError(await cli(...line.split(' ')), sentence))
  })

  test('migrate creates the schema once, and other commands ask for it when it is missing', async (t) => {
    const url = { DATABASE_URL: databaseUrl(await makeEmptyDatabase(t)) }
    assertUserError(
      await runCli(['merchant', 'list'], url),
      /database has no tables yet. Run `wheelhouse migrate`/,
    )
    const failedDoctor = await runCli(['doctor'], url)
    assert.equal(failedDoctor.code, 1)
    assert.match(failedDoctor.stdout, /schema +wrong +The database has no tables yet/)
    assert.match((await runCli(['migrate'], url)).stdout, /^Applied baseline, /)
    assert.equal((await runCli(['migrate'], url)).stdout, 'The schema is up to date.\n')
    assert.deepEqual(JSON.parse((await runCli(['migrate', '--json'], url)).stdout), { applied: [] })
    assert.match((await runCli(['merchant', 'list'], url)).stdout, /no merchants yet/)
    assert.match((await runCli(['keys', 'list'], url)).stdout, /no keys yet/)
  })

  test('health says whether the server on this machine is ready', async (t) => {
    const own = await makeServer(t)
    const at = { HOST: '0.0.0.0', PORT: new URL(own.url).port }
    assert.deepEqual(await runCli(['health'], at), { code: 0, stdout: 'ready\n', stderr: '' })
    own.app.isStopping = true
    assertUserError(await runCli(['health'], at), /127\.0\.0\.1:\d+\/readyz is not ready: stopping\.$/m)
    const nowhere = await runCli(['health'], { PORT: String(await freePort()) })
    assertUserError(nowhere, /No server answers at http:\/\/127\.0\.0\.1:\d+\/readyz: .*ECONNREFUSED/)
  })

  test('doctor reports no problem in a healthy installation', async () => {
    const found = (await jsonOutput('doctor')) as { check: string; state: string }[]
    const states = found.filter(({ state }) => state !== 'ok').map((one) => `${one.check} ${one.state}`)
    assert.deepEqual([found.length, states], [8, ['backup warning']])
    assert.match(await textOutput('doctor'), /database +ok +PostgreSQL 1\d/)
  })

  test(
    'doctor reports wrong and risky settings, a clock that is off, and an unreachable database',
    onLanding,
    async (t) => {
      const folder = makeFolder(t)
      writeFileSync(
        join(folder, '.env'),
        'LOG_LEVEL=info\nGAME_PLAYS_PER_PLYER=1\nPORT 8241\nDATA_DIR: /data\n',
      )
      const misspelt = await runCli(['doctor'], env, folder)
      assert.match(misspelt.stdout, /settings +warning +\.env has GAME_PLAYS_PER_PLYER, which/)
      for (const name of ['PORT', 'DATA_DIR'])
        assert.ok(misspelt.stdout.includes(`.env has a line for ${name} without "="`), misspelt.stdout)
      assert.doesNotMatch(misspelt.stdout, /line for LOG_LEVEL/)
      for (const name of ['DATABSE_URL', 'DATABASE_UR', 'DATABASE_URLL', 'DATAABASE_URL', 'DATABASE_VRL']) {
        const found = await runCli(['doctor'], { ...env, [name]: 'x' })
        assert.match(found.stdout, new RegExp(`The environment has ${name}. Is DATABASE_URL meant`))
      }
      writeFileSync(join(folder, '.env'), '\ufeffLOG_LEVEL=loud\n')
      assert.match((await runCli(['doctor'], env, folder)).stdout, /settings +wrong +LOG_LEVEL must be/)
      const wrong = await runCli(['doctor'], { PORT: '0', LOG_LEVEL: 'loud' })
      assert.equal(wrong.code, 1)
      assert.match(wrong.stdout, /settings +wrong +PORT must be.*; LOG_LEVEL must be/)
      const ahead = {
        NODE_OPTIONS: `--import=${join(repository, 'faults', 'shifted-clock.ts')}`,
        CLOCK_SHIFT_MS: '1500',
      }
      const risky = { ...ahead, HOST: '0.0.0.0', PUBLIC_URL: 'http://wheel.example' }
      const unwise = await runCli(['doctor'], { ...env, ...risky })
      assert.equal(unwise.code, 0, unwise.stdout)
      assert.match(unwise.stdout, /settings +warning +PUBLIC_URL is http/)
      assert.match(
        unwise.stdout,
        /clock +warning +The clocks .* differ by 1[45]\d\d ms.*releases paced prizes/,
      )
      for (const host of ['127.0.0.1', 'localhost']) {
        const url = { DATABASE_URL: `postgresql://wheel:canary-password@${host}:${await freePort()}/wheel` }
        const away = await runCli(['doctor', '--json'], url)
        assert.equal(away.code, 1)
        const found = JSON.parse(away.stdout) as { check: string; state: string; finding: string }[]
        assert.deepEqual(
          found.map((one) => `${one.check} ${one.state}`),
          ['settings ok', 'node ok', 'database wrong', 'disk ok'],
        )
        assert.match(found[2]?.finding ?? '', /ECONNREFUSED.*Check that PostgreSQL runs .* DATABASE_URL has/)
        const other = await runCli(['merchant', 'list'], url)
        assertUserError(other, /database does not answer: .*ECONNREFUSED.*wheelhouse doctor/)
        assert.doesNotMatch(away.stdout + other.stderr, /canary-password/)
      }
    },
  )

  test('a missing database or user is reported as a user error, not a crash', async () => {
    const { host } = server.target
    for (const where of ['wheelhouse@HOST/no_such_database', 'no_such_user@HOST/postgres']) {
      const url = {
        DATABASE_URL: `postgresql://${where.replace('HOST', `${encodeURIComponent(host)}:5432`)}`,
      }
      assertUserError(await runCli(['merchant', 'list'], url), /no_such_(database|user)/)
    }
  })

  test('audit passes until a balance is edited by hand, then names the player and exits with 2', async (t) => {
    const own = await makeServer(t)
    const { token } = await makeMerchant(own.ctx.db)
    const url = { DATABASE_URL: databaseUrl(own.target) }
    await post(`${own.url}/api/player/increaseSpin`, token, { playerId: 'ann', spinNumber: 5 })
    const clean = await runCli(['audit'], url)
    assert.equal(clean.code, 0)
    assert.match(clean.stdout, /^Clean: 1 player, 1 entry\.\n/)
    const report = await runCli(['audit', '--json'], url)
    assert.equal(report.code, 0)
    assert.partialDeepStrictEqual(JSON.parse(report.stdout), { players: 1, entries: 1, findings: [] })
    await asSuperuser(own.target.database, (client) => client.query('update players set balance = 500'))
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-audit-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const metrics = join(folder, 'audit.prom')
    const off = await runCli(['audit', '--metrics-file', metrics], url)
    assert.match(readFileSync(metrics, 'utf8'), /^wheelhouse_audit_failed_checks 1$/m)
    assert.equal(off.code, 2)
    assert.match(off.stdout, /FAILED: a player's balance is the sum of its entries[^]*"ann","balance":500/)
    const found = await runCli(['audit', '--json'], url)
    assert.equal(found.code, 2)
    assert.deepEqual(
      (JSON.parse(found.stdout) as { findings: { count: number }[] }).findings.map((one) => one.count),
      [1],
    )
  })
})
