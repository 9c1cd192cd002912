import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { checkWheel } from '../../src/wheel-document/check-wheel.ts'
import { openingAt, openUntil } from '../../src/wheel-document/schedule.ts'
import { simulateWheel } from '../../src/wheel-document/simulate-wheel.ts'
import { publishedText } from '../../src/wheel-document/published-text.ts'
import {
  defaultWheel,
  type WheelDocument,
  type WheelSegment,
} from '../../src/wheel-document/wheel-document.ts'
import {
  databaseUrl,
  makeFolder,
  makeMerchant,
  makeServer,
  post,
  runCli,
  type Server,
  suiteLifetime,
  times,
} from '../scenes/scene.ts'
import { makePng } from '../scenes/media.ts'

const noFacts = { pools: new Map(), given: new Map() }
const wheel = (change: Partial<WheelDocument> = {}): WheelDocument => ({
  ...structuredClone(defaultWheel),
  ...change,
})
const withFirst = (change: Partial<WheelSegment>): WheelDocument => {
  const [first, ...rest] = structuredClone(defaultWheel.segments)
  return wheel({ segments: [{ ...(first as WheelSegment), ...change }, ...rest] })
}
const complaintsAbout = (
  document: WheelDocument,
  facts: Parameters<typeof checkWheel>[1] = noFacts,
): string[] => checkWheel(document, facts).map((error) => error.pointer)

test('the wheel of a new merchant can be published', () => {
  assert.deepEqual(complaintsAbout(defaultWheel), [])
})

test('an invalid wheel is refused with a pointer to each error', () => {
  const png = makePng()
  const cases: [string[], WheelDocument][] = [
    [['/fallback'], wheel({ fallback: 'nobody' })],
    [['/segments/0/prize/kind'], wheel({ fallback: 'one-spin' })],
    [
      ['/segments/1/stock'],
      wheel({
        segments: defaultWheel.segments.map((one) => (one.id === 'try-again' ? { ...one, stock: 5 } : one)),
      }),
    ],
    [['/segments'], wheel({ segments: defaultWheel.segments.map((one) => ({ ...one, weight: 0 })) })],
    [
      ['/segments/1/id', '/fallback'],
      wheel({ segments: defaultWheel.segments.slice(0, 2).map((one) => ({ ...one, id: 'twin' })) }),
    ],
    [['/timeZone'], wheel({ timeZone: 'Mars/Olympus' })],
    [['/closesAt'], wheel({ opensAt: '2026-02-01T00:00:00Z', closesAt: '2026-01-01T00:00:00Z' })],
    [['/openHours/to'], wheel({ openHours: { from: '10:00', to: '09:00' } })],
    [
      ['/segments/0/winnableUntil'],
      withFirst({ winnableFrom: '2026-02-01T00:00:00Z', winnableUntil: '2026-01-01T00:00:00Z' }),
    ],
    [['/segments/0/prize/spins'], withFirst({ prize: { kind: 'spins' } })],
    [['/segments/0/prize/url'], withFirst({ prize: { kind: 'link' } })],
    [['/segments/0/prize/code'], withFirst({ prize: { kind: 'handover', code: 'X' } })],
    [['/segments/0/prize/pool'], withFirst({ prize: { kind: 'pool', pool: 'missing' } })],
    [['/segments/0/image'], withFirst({ image: png.replace('png', 'jpeg') })],
    [['/look/logo'], wheel({ look: { logo: 'data:image/png;base64,PHN2Zz4=' } })],
    [['/opensAt'], wheel({ opensAt: '2026-02-30T99:00:00Z' })],
    [['/segments/0/winnableUntil'], withFirst({ winnableUntil: '9999-12-31T23:59:59-23:59' })],
  ]
  for (const [pointers, document] of cases)
    assert.deepEqual(complaintsAbout(document), pointers, JSON.stringify(pointers))
  assert.deepEqual(complaintsAbout(withFirst({ image: png })), [])
})

test('dates in the wrong order are explained in words, not by the names of fields', () => {
  const dates = { opensAt: '2026-02-01T00:00:00Z', closesAt: '2026-01-01T00:00:00Z' }
  const document = wheel({ ...dates, openHours: { from: '10:00', to: '09:00' } })
  assert.deepEqual(
    checkWheel(document, noFacts).map(({ pointer, detail }) => `${pointer} ${detail}`),
    ['/closesAt must be later than the opening', '/openHours/to must be later than the beginning'],
  )
})

test('a code pool smaller than its stock is refused, minus the codes already issued', () => {
  const document = withFirst({ prize: { kind: 'pool', pool: 'p' }, stock: 10 })
  const facts = (codesLeft: number, given: number) => ({
    pools: new Map([['p', { codesLeft }]]),
    given: new Map([['one-spin', given]]),
  })
  assert.deepEqual(complaintsAbout(document, facts(9, 0)), ['/segments/0/prize/pool'])
  assert.deepEqual(complaintsAbout(document, facts(10, 0)), [])
  assert.deepEqual(complaintsAbout(document, facts(6, 4)), [])
  assert.deepEqual(complaintsAbout(document, facts(0, 11)), ['/segments/0/stock'])
  const sharing = wheel({
    segments: defaultWheel.segments.map((one) =>
      one.id.endsWith('spins') ? { ...one, prize: { kind: 'pool', pool: 'p' }, stock: 3 } : one,
    ),
  })
  assert.deepEqual(complaintsAbout(sharing, facts(8, 0)), ['/segments/6/prize/pool'])
})

test("opening hours follow the wheel's time zone across daylight saving changes", () => {
  const testMerchant = wheel({
    timeZone: 'Europe/Berlin',
    openDays: [1, 2, 3, 4, 5],
    openHours: { from: '09:00', to: '18:00' },
  })
  const at = (moment: string) => {
    const { isOpen, opensAt } = openingAt(testMerchant, new Date(moment))
    return isOpen ? 'open' : (opensAt?.toISOString() ?? 'never')
  }
  assert.equal(at('2026-11-16T07:59:59Z'), '2026-11-16T08:00:00.000Z')
  assert.equal(at('2026-11-16T08:00:00Z'), 'open')
  assert.equal(at('2026-11-16T16:59:59Z'), 'open')
  assert.equal(at('2026-11-16T17:00:00Z'), '2026-11-17T08:00:00.000Z')
  assert.equal(at('2026-11-13T17:00:00Z'), '2026-11-16T08:00:00.000Z', 'Friday evening to Monday morning')
  assert.equal(at('2026-07-01T07:00:00Z'), 'open', 'summer time')
  const season = wheel({ opensAt: '2026-12-01T00:00:00Z', closesAt: '2026-12-24T00:00:00Z' })
  assert.deepEqual(openingAt(season, new Date('2026-11-01T00:00:00Z')), {
    isOpen: false,
    opensAt: new Date('2026-12-01T00:00:00Z'),
    closesAt: new Date('2026-12-24T00:00:00Z'),
  })
  assert.equal(openingAt(season, new Date('2026-12-24T00:00:00Z')).opensAt, null)

  const until = (document: WheelDocument, moment: string) =>
    openUntil(document, new Date(moment))?.toISOString() ?? null
  assert.equal(until(testMerchant, '2026-11-16T08:00:00Z'), '2026-11-16T17:00:00.000Z')
  assert.equal(until(season, '2026-12-02T00:00:00Z'), '2026-12-24T00:00:00.000Z')
  const days = { timeZone: 'Europe/Berlin', openDays: [1, 2, 3, 4, 5] }
  assert.equal(until(wheel(days), '2026-11-16T08:00:00Z'), '2026-11-20T23:00:00.000Z', 'five days in a row')
  assert.equal(
    until(wheel({ ...days, closesAt: '2026-11-18T00:00:00Z' }), '2026-11-16T08:00:00Z'),
    '2026-11-18T00:00:00.000Z',
  )
  assert.equal(until(wheel({ openDays: [1, 2, 3, 4, 5, 6, 7] }), '2026-11-16T08:00:00Z'), null)
  assert.equal(until(wheel({}), '2026-11-16T08:00:00Z'), null)
})

test('a simulation reports chances, cost, and when stock runs out', () => {
  const { prizes, costPerDay, costPerPlay } = simulateWheel(
    withFirst({ weight: 20, cost: 2.5, stock: 1_000 }),
    500,
  )
  assert.deepEqual([prizes[0]?.chance, prizes[0]?.winsPerDay, prizes[0]?.stockLastsDays], [0.2, 100, 10])
  assert.deepEqual([costPerDay, costPerPlay], [250, 0.5])
  const capped = simulateWheel(withFirst({ weight: 20, stock: 1_000, stockPerDay: 10 }), 500)
  assert.equal(capped.prizes[0]?.stockLastsDays, 100)
  const wins = capped.prizes.map(({ winsPerDay }) => winsPerDay)
  assert.equal(Math.round(wins.reduce((total, one) => total + one)), 500, 'with those that get the fallback')
})

test('the published wheel hides stock, limits, costs, codes and pools', () => {
  const text = publishedText(
    withFirst({
      prize: { kind: 'fixed', code: 'SECRET' },
      stock: 12_345,
      cost: 54_321,
      limitPerPlayer: 77_777,
    }),
  )
  for (const secret of ['SECRET', '12345', '54321', '77777', 'one-spin'])
    assert.ok(!text.includes(secret), secret)
})

test('a look without the newer fields is published as ever, and an unknown theme, font or sound is refused', () => {
  const sha256 = createHash('sha256').update(publishedText(defaultWheel)).digest('hex')
  assert.equal(sha256, '46dc0074b176f8960b842d922335f9fd8bbdde4013896a2ecc1154ce27041199')
  const themed = JSON.parse(publishedText({ ...defaultWheel, look: { theme: 'cafe', accent: '#123456' } }))
  assert.deepEqual(
    [themed.look.theme, themed.look.accent, 'background' in themed.look],
    ['cafe', '#123456', false],
  )
  const look = { theme: 'baroque', font: 'comic', sound: 'gone' }
  assert.deepEqual(complaintsAbout(wheel({ look })), ['/look/theme', '/look/font', '/look/sound'])
  const known = { theme: 'cafe', font: 'oswald', sound: 'none', address: 'formal' } as const
  const { look: published } = JSON.parse(publishedText(wheel({ look: known })))
  assert.deepEqual({ ...published, ...known }, published)
})

describe('/api/v1/wheels', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let token: string
  before(async () => {
    server = await makeServer(lifetime)
    ;({ token } = await makeMerchant(server.ctx.db))
  })
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    by = token,
  ) {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: {
        Authorization: by,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      body: await response.json(),
    }
  }

  test('a wheel is drafted, checked, simulated, published, paused and opened by links', async () => {
    const saved = await call('PUT', '/wheels/summer', wheel({ name: 'Summer' }))
    assert.deepEqual([saved.status, saved.body.draftRevision, saved.body.publishedVersion], [200, 1, null])
    assert.equal((await call('PUT', '/wheels/summer/links')).body.code, 'wheel_not_publishable')
    const simulated = await call('POST', '/wheels/summer/simulation', { playsPerDay: 100 })
    assert.deepEqual(simulated.body.errors, [])
    assert.equal(simulated.body.simulation.prizes.length, defaultWheel.segments.length)
    assert.equal(simulated.body.forecast, null)
    const forecast = await call('POST', '/wheels/summer/simulation', {
      playsPerDay: 100,
      days: 3,
      spinsPerPlayer: 2,
    })
    assert.equal(forecast.body.forecast.days.length, 3)
    const tooMany = await call('POST', '/wheels/summer/simulation', { playsPerDay: 1_000_000, days: 2 })
    assert.deepEqual([tooMany.status, tooMany.body.errors[0].pointer], [400, '/days'])
    const ofPublished = { of: 'published', playsPerDay: 100, days: 1 }
    assert.equal((await call('POST', '/wheels/summer/simulation', ofPublished)).body.code, 'wheel_not_found')
    const ofScheduled = { ...ofPublished, of: 'scheduled' }
    assert.equal(
      (await call('POST', '/wheels/summer/simulation', ofScheduled)).body.code,
      'nothing_scheduled',
    )
    const published = await call('POST', '/wheels/summer/publication')
    assert.deepEqual([published.status, published.body.version], [200, 1])
    const named = await call('POST', '/wheels/summer/simulation', {
      ...ofPublished,
      at: '2030-05-01T00:00:00Z',
    })
    assert.deepEqual(
      named.body.forecast.days.map(({ day }: { day: string }) => day),
      ['2030-05-01'],
    )
    assert.equal((await fetch(`${server.url}/api/v1/game/versions/${published.body.hash}`)).status, 200)
    assert.notEqual((await call('PUT', '/wheels/summer/pause')).body.pausedAt, null)
    assert.equal((await call('DELETE', '/wheels/summer/pause')).body.pausedAt, null)
    assert.equal((await call('PUT', '/wheels/summer/links')).status, 200)
    const listed = await call('GET', '/wheels')
    assert.deepEqual(
      listed.body.wheels.map((one: any) => one.wheel),
      ['main', 'summer'],
    )
    assert.deepEqual(
      (await call('GET', '/wheels/summer/versions')).body.versions.map((one: any) => one.version),
      [1],
    )
  })

  test('the second of two editors is refused because the draft has changed', async () => {
    const { etag } = await call('GET', '/wheels/main')
    const mine = await call('PUT', '/wheels/main', wheel({ name: 'Mine' }), { 'If-Match': etag ?? '' })
    assert.equal(mine.status, 200)
    const theirs = await call('PUT', '/wheels/main', wheel({ name: 'Theirs' }), { 'If-Match': etag ?? '' })
    assert.deepEqual([theirs.status, theirs.body.code], [412, 'draft_changed'])
    assert.equal((await call('GET', '/wheels/main')).body.draft.name, 'Mine')
    const publish = (tag: string | null) =>
      call('POST', '/wheels/main/publication', undefined, { 'If-Match': tag ?? '' })
    assert.equal((await publish(etag)).body.code, 'draft_changed')
    assert.equal((await publish(mine.etag)).status, 200)
  })

  test('an outdated translation stays marked until it is confirmed, by programs that do not know of it too', async () => {
    const wheelWith = (label: string, rest: object = {}) => {
      const made = withFirst({ label, translations: { de: { label: '200 Punkte' } } })
      return { ...made, language: 'en', ...rest }
    }
    const save = async (document: object) => (await call('PUT', '/wheels/points', document)).body
    const segment = defaultWheel.segments[0]?.id
    const place = { language: 'de', segment, field: 'label' }
    assert.deepEqual((await save(wheelWith('200 points'))).outdatedTranslations, [])
    const changed = await save(wheelWith('10 % off'))
    assert.deepEqual(changed.draft.translatedFrom, [{ ...place, text: '200 points' }])
    const published = await call('POST', '/wheels/points/publication')
    assert.deepEqual((await save(wheelWith('10 % off', { name: 'Other' }))).outdatedTranslations, ['de'])
    const { body } = await call('GET', '/wheels')
    const listed = body.wheels.find((one: any) => one.wheel === 'points')
    assert.deepEqual([published.status, listed.outdatedTranslations], [200, ['de']])
    const text = await (await fetch(`${server.url}/api/v1/game/versions/${published.body.hash}`)).text()
    assert.doesNotMatch(text, /translatedFrom|200 points/)
    const confirmed = await save(wheelWith('10 % off', { translatedFrom: [{ ...place, text: '10 % off' }] }))
    assert.deepEqual([confirmed.outdatedTranslations, confirmed.draft.translatedFrom], [[], undefined])
  })

  test('a malformed draft is refused with pointers, and an invalid draft is not published', async () => {
    const shape = await call('PUT', '/wheels/bad', {
      ...wheel(),
      timeZone: 5,
      segments: [{ id: 'x', colour: 'red' }],
    })
    assert.deepEqual([shape.status, shape.body.code], [400, 'validation_failed'])
    for (const label of ['', 'x'.repeat(41), 'x'.repeat(200), 'a\nb', 'a\u0000b']) {
      const { status, body } = await call('PUT', '/wheels/bad', withFirst({ label }))
      assert.deepEqual([status, body.errors[0].pointer], [400, '/segments/0/label'])
    }
    assert.ok(shape.body.errors.some((one: any) => one.pointer === '/timeZone'))
    assert.equal((await call('GET', '/wheels/bad')).status, 404)
    for (const wrong of [
      { name: 'a\u0000b' },
      { name: 'a\ud800' },
      { opensAt: '2016-12-31T23:59:60Z' },
      { texts: { '<b>': 5 } },
      { timeZone: '2020-01-01T00:00[Europe/Berlin]' },
    ]) {
      assert.equal(
        (await call('PUT', '/wheels/bad', { ...wheel(), ...wrong })).status,
        400,
        JSON.stringify(wrong),
      )
    }
    await call('PUT', '/wheels/bad', wheel({ fallback: 'nobody' }))
    const publication = await call('POST', '/wheels/bad/publication')
    assert.deepEqual(
      [publication.status, publication.body.code, publication.body.errors[0].pointer],
      [422, 'wheel_not_publishable', '/fallback'],
    )
    await call('PUT', '/wheels/bad', withFirst({ label: '   ' }))
    assert.deepEqual((await call('POST', '/wheels/bad/publication')).body.errors, [
      { pointer: '/segments/0/label', detail: 'must have visible characters' },
    ])
  })

  test('codes are stored once each, in order, and counted', async () => {
    const codes = times(100, (index) => `C${index}`)
    assert.equal(
      (await call('POST', '/code-pools/spring/codes', { codes: [...codes, ...codes] })).body.added,
      100,
    )
    assert.equal((await call('POST', '/code-pools/spring/codes', { codes: [...codes, 'NEW'] })).body.added, 1)
    const spaced = { codes: [' C1', 'NEW '] }
    assert.equal((await call('POST', '/code-pools/spring/codes', spaced)).body.added, 0)
    const blank = await call('POST', '/code-pools/spring/codes', { codes: ['OK', '  '] })
    assert.deepEqual(blank.body.errors, [
      {
        pointer: '/codes/1',
        detail: 'must be one line with visible characters, without control characters and lone surrogates',
      },
    ])
    const flood = await call('POST', '/code-pools/spring/codes', { codes: times(200_000, () => '') })
    assert.deepEqual([flood.status, flood.body.errors.length <= 50], [400, true])
    const [{ createdAt: _, ...counts }, ...others] = (await call('GET', '/code-pools')).body.pools
    assert.deepEqual([counts, others], [{ pool: 'spring', uploaded: 101, taken: 0, left: 101 }, []])
  })

  test("another merchant's wheels and pools are not found, and a token without the scope is refused", async () => {
    const other = await makeMerchant(server.ctx.db)
    assert.equal(
      (await call('GET', '/wheels/summer', undefined, {}, other.token)).body.code,
      'wheel_not_found',
    )
    assert.deepEqual((await call('GET', '/code-pools', undefined, {}, other.token)).body.pools, [])
    const limited = await makeMerchant(server.ctx.db, { scopes: ['spins'] })
    assert.equal((await call('GET', '/wheels', undefined, {}, limited.token)).body.code, 'scope_missing')
  })
})

test('plays are exported with their proofs and verified without a server', async (t) => {
  const server = await makeServer(t)
  const { merchant, token } = await makeMerchant(server.ctx.db)
  for (const playerId of ['a', 'b']) {
    const link = await post(`${server.url}/api/game/sso`, token, { playerId, initialSpin: 3 })
    for (const _ of times(2, () => 0)) {
      const { body: session } = (await post(`${server.url}/api/v1/game/session`, undefined, {
        token: link.body.token,
      })) as any
      const body = {
        session: session.session,
        playId: crypto.randomUUID(),
        playerSeed: 'ab'.repeat(32),
        commitment: session.next.commitment,
        versionHash: session.wheel.hash,
      }
      assert.equal((await post(`${server.url}/api/v1/game/plays`, undefined, body)).status, 200)
    }
  }
  const exported = await runCli(['plays', 'export', merchant.slug], {
    DATABASE_URL: databaseUrl(server.target),
  })
  const file = join(makeFolder(t), 'plays.ndjson')
  writeFileSync(file, exported.stdout)
  const verified = await runCli(['verify', file, '--json'], {})
  assert.deepEqual(JSON.parse(verified.stdout), {
    plays: 4,
    runs: 0,
    later: 0,
    wrong: 0,
    complaints: [],
  })
  writeFileSync(
    file,
    exported.stdout.replaceAll(/"ticket":(\d+)/g, (_, ticket) => `"ticket":${Number(ticket) + 1}`),
  )
  const forged = await runCli(['verify', file], {})
  assert.equal(forged.code, 2)
  assert.match(forged.stdout, /WRONG: play [\w-]+: both seeds together give this ticket/)
  writeFileSync(file, '')
  const empty = await runCli(['verify', file], {})
  assert.deepEqual([empty.code, /no play and no run/.test(empty.stderr)], [1, true], 'a failed export')
})
