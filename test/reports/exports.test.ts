import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { csvCell } from '../../src/http/manage/exports/csv-and-ndjson.ts'
import { xlsxOf } from '../../src/http/manage/exports/xlsx.ts'
import {
  codesPerUploadMax,
  connectionsCheckIntervalMs,
  exportsMax,
  requestTimeoutMs,
} from '../../src/limits.ts'
import { compareWheels } from '../../src/wheel-document/compare-wheels.ts'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import { alwaysWins, type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { unzip } from '../scenes/unzip.ts'
import { makeServer, post, type Server, suiteLifetime, times } from '../scenes/scene.ts'

test('a cell that a spreadsheet would run as a formula starts with an apostrophe, and numbers stay numbers', () => {
  for (const evil of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1']) {
    const [[cell]] = parse(csvCell(evil)) as [[string]]
    assert.equal(cell, `'${evil}`)
  }
  assert.deepEqual(
    [
      csvCell(-5.5),
      csvCell(-5.5, ','),
      csvCell(null),
      csvCell(true),
      csvCell('a"b,c\nd'),
      csvCell('1.5', ','),
    ],
    ['-5.5', '"-5,5"', '', 'true', '"a""b,c\nd"', '1.5'],
  )
})

test('a workbook keeps text as text, numbers as numbers and times as times, over as many sheets as it takes', async () => {
  async function* rows() {
    yield { id: '=1+1', n: -5.5, ok: true, at: '2026-01-01T12:00:00.000Z', day: '2026-01-01' }
    yield { id: 'a<b>&\u0001 _x0041_', n: null, ok: false, at: null, day: null }
    yield { id: 'x', n: 1, ok: true, at: null, day: null }
  }
  const columns = ['id', 'n', 'ok', 'at', 'day'].map((name) => ({
    name,
    isTime: name === 'at',
    isDay: name === 'day',
  }))
  const parts = unzip(await buffer(xlsxOf(columns, rows(), { rowsPerSheetMax: 3 })))
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? ''
  assert.match(
    sheet,
    />=1\+1<\/t><\/is><\/c><c><v>-5.5<\/v><\/c><c t="b"><v>1<\/v><\/c><c s="1"><v>46023.5<\/v><\/c><c s="3"><v>46023<\/v>/,
  )
  assert.ok(sheet.includes('a&lt;b&gt;&amp;\uFFFD _x005F_x0041_'))
  assert.ok(!sheet.includes('<f>'), 'no cell is a formula')
  assert.equal(sheet.split('<row>').length - 1, 3)
  assert.equal(
    (parts.get('xl/worksheets/sheet2.xml') ?? '').split('<row>').length - 1,
    2,
    'header and one row',
  )
  assert.match(parts.get('xl/workbook.xml') ?? '', /r:id="r1".*r:id="r2"/)
})

test('two wheels are compared by segment id', () => {
  const [one, two, ...rest] = defaultWheel.segments as [any, any, ...any[]]
  const changes = compareWheels(defaultWheel, {
    ...defaultWheel,
    name: 'New',
    look: { accent: '#000000' },
    segments: [
      two,
      { ...one, weight: 99, prize: { kind: 'spins', spins: 9 } },
      ...rest.slice(1),
      { ...one, id: 'fresh' },
    ],
  })
  assert.deepEqual(
    changes.map(({ path }) => path),
    [
      '/name',
      '/look',
      '/segments/one-spin/weight',
      '/segments/one-spin/prize/spins',
      '/segments/fresh',
      '/segments/two-spins',
      '/segments',
    ],
  )
  assert.deepEqual(changes[2], { path: '/segments/one-spin/weight', before: 20, after: 99 })
  assert.deepEqual(compareWheels(defaultWheel, structuredClone(defaultWheel)), [])
})

describe('/api/v1/exports', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let api: ManagementApi
  const ids = times(130, (index) => `player-${index}`)
  before(async () => {
    server = await makeServer(lifetime)
    api = await makeManagementApi(server)
    await api.publish(alwaysWins({ title: '=cmd|calc' }))
    await Promise.all(ids.map((id) => api.grant(id, 3)))
    await api.grant('=HYPERLINK("x")', 1)
    for (const index of times(250, (one) => one)) await api.grant('busy', 1, `k${index}`)
    for (const id of ids.slice(0, 5)) await api.play(id)
    await api.play('player-0')
  })
  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('every player, entry, play and prize is exported once, as NDJSON and as CSV', async () => {
    const players = lines((await api.call('GET', '/exports/players')).text)
    assert.deepEqual(
      players.map((player): string => player.playerId).toSorted(),
      [...ids, '=HYPERLINK("x")', 'busy'].toSorted(),
    )
    const entries = lines((await api.call('GET', '/exports/ledger')).text)
    assert.equal(new Set(entries.map((entry) => `${entry.playerId} ${entry.entry}`)).size, entries.length)
    const sums = new Map<string, number>()
    for (const { playerId, amount } of entries) sums.set(playerId, (sums.get(playerId) ?? 0) + amount)
    for (const { playerId, spinCount } of players) assert.equal(sums.get(playerId), spinCount, playerId)
    assert.deepEqual(
      entries.filter((entry) => entry.playerId === 'busy').map((entry) => entry.entry),
      times(250, (index) => index + 1),
    )
    for (const kind of ['plays', 'prizes']) {
      const rows = lines((await api.call('GET', `/exports/${kind}`)).text)
      assert.equal(new Set(rows.map((row) => row.playId)).size, 6, kind)
      const csv = await api.call('GET', `/exports/${kind}?format=csv`)
      assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
      assert.match(csv.headers.get('content-disposition') ?? '', new RegExp(`filename="${kind}.csv"`))
      assert.deepEqual(
        parse(csv.text, { columns: true }).map((row: any) => row.playId),
        rows.map((row) => row.playId),
      )
    }
    const csv = parse((await api.call('GET', '/exports/players?format=csv')).text, {
      columns: true,
    }) as any[]
    assert.ok(csv.some((row) => row.playerId === `'=HYPERLINK("x")`))
    const plays = parse((await api.call('GET', '/exports/plays?format=csv')).text, {
      columns: true,
    }) as any[]
    assert.deepEqual([plays[0]['prize.title'], plays[0]['proof.playNumber']], [`'=cmd|calc`, '1'])
    const later = new Date(Date.now() + 60_000).toISOString()
    assert.equal((await api.call('GET', `/exports/plays?from=${later}`)).text, '')
    await api.call('PUT', '/players/busy/block')
    const [, logged] = parse((await api.call('GET', '/exports/audit-log?format=csv')).text, {
      columns: true,
    }) as any[]
    assert.deepEqual([logged.action, logged['actor.kind'], logged.subject], ['player.block', 'token', 'busy'])
  })

  test('an export has the filters of its list, opens in Excel, and leaves a line in the audit log', async () => {
    const bytes = await fetch(`${server.url}/api/v1/exports/prizes?format=xlsx&playerId=player-0`, {
      headers: { Authorization: api.token },
    })
    assert.match(bytes.headers.get('content-disposition') ?? '', /prizes\.xlsx/)
    const sheet = unzip(Buffer.from(await bytes.arrayBuffer())).get('xl/worksheets/sheet1.xml') ?? ''
    assert.deepEqual([sheet.split('<row>').length - 1, sheet.includes('wonAt (UTC)')], [3, true])
    const csv = await fetch(
      `${server.url}/api/v1/exports/players?format=csv&separator=semicolon&bom=true&search=ER-12`,
      {
        headers: { Authorization: api.token },
      },
    )
    const text = Buffer.from(await csv.arrayBuffer()).toString()
    assert.match(text, /^\uFEFFplayerId;spinCount;/)
    const found = parse(text, { columns: true, delimiter: ';', bom: true }) as any[]
    assert.equal(found.length, 11, 'player-12 and player-120 to player-129')
    await api.call('POST', '/code-pools/sweets/codes', { codes: ['A1', 'B2'] })
    const rowsOf = async (path: string) => lines((await api.call('GET', `/exports/${path}`)).text)
    assert.deepEqual(
      (await rowsOf('codes?pool=sweets')).map((row) => [row.position, row.code, row.isGiven]),
      [
        [1, 'A1', false],
        [2, 'B2', false],
      ],
    )
    assert.equal((await rowsOf('plays?won=true&wheel=main&prizeId=mug')).length, 6)
    assert.equal((await rowsOf('ledger?playerId=busy')).length, 250)
    assert.equal((await rowsOf('audit-log?action=codes.upload')).length, 1)
    for (const [path, code] of [
      ['codes?pool=none', 'code_pool_not_found'],
      ['codes', 'validation_failed'],
      ['plays?playerId=nobody', 'player_not_found'],
      ['prizes?wheel=none', 'wheel_not_found'],
      ['prizes?format=xls', 'validation_failed'],
    ] as const)
      assert.equal((await api.call('GET', `/exports/${path}`)).body.code, code, path)
    await api.call('GET', '/players/busy/personal-data')
    const { entries } = (await api.call('GET', '/audit-log?action=data.export&limit=20')).body
    const told = entries.map(({ subject, after: { list, format } }: any) => `${subject} ${list} ${format}`)
    assert.deepEqual(told.slice(0, 7).toReversed(), [
      'player-0 prizes xlsx',
      'players players csv',
      'codes codes ndjson',
      'plays plays ndjson',
      'busy ledger ndjson',
      'audit-log audit-log ndjson',
      'busy personal-data ndjson',
    ])
    assert.ok(!JSON.stringify(entries.map((entry: any) => entry.after)).includes('ER-12'), 'no part of an id')
  })

  test('plays are listed with proofs, newest first, for all players or for one', async () => {
    const all = await api.call('GET', '/plays?limit=4')
    assert.equal(all.body.plays.length, 4)
    assert.equal(all.body.plays[0].playerId, 'player-0')
    assert.match(all.body.plays[0].proof.serverSeed, /^[0-9a-f]{64}$/)
    const rest = await api.call('GET', `/plays?limit=4&cursor=${all.body.next}`)
    assert.deepEqual([rest.body.plays.length, rest.body.next], [2, null])
    const own = await api.call('GET', '/plays?playerId=player-0&fields=playId,playNumber')
    assert.deepEqual(
      own.body.plays.map((play: any) => Object.keys(play).toSorted().join()),
      ['playId,playNumber', 'playId,playNumber'],
    )
    const read = await api.call('GET', `/plays/${own.body.plays[0].playId}`)
    assert.deepEqual([read.body.playerId, read.body.playNumber], ['player-0', 2])
    assert.deepEqual((await api.call('GET', '/plays?won=false')).body, { plays: [], next: null })
    assert.deepEqual((await api.call('GET', '/plays?playerId=player-0&won=false')).body.plays, [])
    const oldest = rest.body.plays.at(-1).playedAt
    const until = async (path: string) => (await api.call('GET', `${path}to=${oldest}`)).body
    assert.deepEqual((await until('/plays?')).plays, [])
    assert.deepEqual((await until('/prizes?')).prizes, [])
    assert.deepEqual((await until('/prizes?playerId=player-0&')).prizes, [])
  })

  test('codes are streamed from CSV or NDJSON, and an invalid line is reported by its number', async () => {
    const send = (body: string, type: string, query = '') =>
      api.call('POST', `/code-pools/big/uploads${query}`, body, { 'Content-Type': type })
    // More than one batch.
    const read = codesPerUploadMax + 1_000
    const csv = `code,note\r\n${times(read, (index) => `"K,${index}",x`).join('\r\n')}\r\n`
    assert.deepEqual((await send(csv, 'text/csv', '?header=true')).body, { read, added: read })
    const json = ['"K,1"', '{"code":"N1"}', '', '"N2"'].join('\n')
    assert.deepEqual((await send(json, 'application/x-ndjson')).body, { read: 3, added: 2 })
    const pool = await api.call('GET', '/code-pools/big')
    assert.deepEqual([pool.body.uploaded, pool.body.left], [read + 2, read + 2])
    const wrong = await send('A\nB\u0001\nC', 'text/csv')
    assert.deepEqual([wrong.body.code, wrong.body.errors[0].pointer], ['validation_failed', '/2'])
    assert.equal((await send('x'.repeat(2_000_000), 'text/csv')).body.code, 'validation_failed')
    assert.equal((await send('{"code":5}', 'application/x-ndjson')).body.code, 'validation_failed')
    assert.equal((await send('x', 'text/plain')).body.code, 'content_type_unsupported')
    const latin = await fetch(`${server.url}/api/v1/code-pools/latin/uploads`, {
      method: 'POST',
      headers: { Authorization: api.token, 'Content-Type': 'text/csv' },
      body: Buffer.from('GRÜN\nGRÄN\n', 'latin1'),
    })
    assert.equal(((await latin.json()) as { code: string }).code, 'body_malformed')
    assert.equal((await api.call('GET', '/code-pools/latin')).body.code, 'code_pool_not_found')
    assert.equal((await api.call('GET', '/code-pools/none')).body.code, 'code_pool_not_found')
  })

  test('a file of codes may take longer to arrive than other requests', onLanding, async () => {
    const body = new ReadableStream({
      start: async (stream) => {
        stream.enqueue(Buffer.from('SLOW-1\n'))
        await sleep(requestTimeoutMs + 2 * connectionsCheckIntervalMs)
        stream.enqueue(Buffer.from('SLOW-2\n'))
        stream.close()
      },
    })
    const headers = { Authorization: api.token, 'Content-Type': 'text/csv' }
    const order = { method: 'POST', headers, body, duplex: 'half' as const }
    const answer = await fetch(`${server.url}/api/v1/code-pools/slow/uploads`, order)
    assert.deepEqual(await answer.json(), { read: 2, added: 2 })
  })

  test('a link revoked by its id is listed as revoked and no longer opens', async () => {
    const link = await post(`${server.url}/api/game/sso`, api.token, { playerId: 'player-1' })
    const payload = String(link.body.token).split('.')[1] ?? ''
    const { jti } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { jti: string }
    for (const _ of times(2, () => 0))
      assert.deepEqual((await api.call('PUT', `/links/${jti}/revocation`)).body, { linkId: jti })
    const opened = await post(`${server.url}/api/v1/game/session`, undefined, { token: link.body.token })
    assert.equal(opened.body.code, 'game_token_revoked')
    const listed = await api.call('GET', '/links/revoked')
    assert.deepEqual(
      listed.body.links.map((one: any) => one.linkId),
      [jti],
    )
    const log = await api.call('GET', '/audit-log?action=link.revoke')
    assert.equal(log.body.entries.length, 1)
  })

  test('versions are read and compared with each other and with the draft, and every wheel change is logged', async () => {
    const other = await makeManagementApi(server)
    const { draft } = (await other.call('GET', '/wheels/main')).body
    await other.call('PUT', '/wheels/main', { ...draft, name: 'Second' })
    const difference = (from: string, to: string) =>
      other.call('GET', `/wheels/main/difference?from=${from}&to=${to}`)
    assert.deepEqual((await difference('1', 'draft')).body.changes, [
      { path: '/name', before: draft.name, after: 'Second' },
    ])
    await other.call('POST', '/wheels/main/publication')
    assert.deepEqual((await difference('2', 'draft')).body.changes, [])
    assert.equal((await difference('1', '2')).body.changes.length, 1)
    assert.equal((await other.call('GET', '/wheels/main/versions/1')).body.document.name, draft.name)
    assert.equal((await difference('1', '9')).body.code, 'wheel_not_found')
    await other.call('PUT', '/wheels/main/pause')
    await other.call('DELETE', '/wheels/main/pause')
    await other.call('PUT', '/wheels/main/links')
    const log = await other.call('GET', '/audit-log?subjectKind=wheel')
    assert.deepEqual(log.body.entries.map((entry: any) => entry.action).toReversed(), [
      'wheel.save',
      'wheel.publish',
      'wheel.pause',
      'wheel.resume',
      'wheel.open_by_links',
    ])
  })

  test('all kinds of exports count together: with as many as a merchant can have, another one is refused', async () => {
    const { merchant, call } = await makeManagementApi(server)
    const leave = server.ctx.exportPlaces.enter(merchant.merchantId, exportsMax.perMerchant)
    const paths = ['/exports/players?format=csv', '/campaigns/main/entries/export?format=csv']
    for (const path of paths) assert.equal((await call('GET', path)).status, 503, path)
    leave()
    for (const path of paths) assert.equal((await call('GET', path)).status, 200, path)
  })
})
