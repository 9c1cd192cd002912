import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { callApi, type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import { onLanding } from '../scenes/selection.ts'
import {
  asSuperuser,
  databaseUrl,
  makeServer,
  post,
  type Server,
  spawnServer,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'

describe('/api/v1/link-lists', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let api: ManagementApi
  before(async () => {
    server = await makeServer(lifetime)
    api = await makeManagementApi(server)
  })

  async function make(playerIds: string[], more: object = {}, list: string = randomUUID()) {
    const answer = await api.call('PUT', `/link-lists/${list}`, { campaign: 'main', playerIds, ...more })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const read = async (list: string) => (await api.call('GET', `/link-lists/${list}`)).body
  const finished = (list: string) => until(async () => (await read(list)).finishedAt !== null)
  async function linksOf(list: string): Promise<Record<string, string>[]> {
    const { text } = await api.call('GET', `/link-lists/${list}/export?format=csv`)
    return parse(text, { columns: true })
  }
  const open = async (link: string | undefined) => {
    const token = new URL(link ?? '').searchParams.get('token')
    return (await post(`${server.url}/api/v1/game/session`, undefined, { token })).body
  }

  test('every player of a list has a link, which is the same in each download, or the reason why not', async () => {
    await api.grant('blocked', 1)
    await api.call('PUT', '/players/blocked/block')
    await api.grant('cem', 2)
    const list = randomUUID()
    await asSuperuser(server.target.database, async (client) => {
      // Links wait for their players, so that the list is unfinished for as long as this needs.
      await client.query('begin')
      await client.query('lock table players in exclusive mode')
      const asked = { expiresIn: 3_600, language: 'de', campaign: 'main' }
      const made = await make(['cem', 'new', 'blocked', 'cem'], asked, list)
      assert.deepEqual([made.players, made.made, made.finishedAt], [3, 0, null], 'each player once')
      assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 3_600_000)
      const early = await api.call('GET', `/link-lists/${list}/export`)
      assert.deepEqual([early.status, early.body.code], [409, 'link_list_unfinished'])
      await client.query('rollback')
    })
    await finished(list)
    const { made, refused, expiresAt } = await read(list)
    assert.deepEqual([made, refused], [2, 1])
    const rows = await linksOf(list)
    assert.deepEqual(
      rows.map((row) => [row.playerId, row.link !== '', row.expiresAt, row.refusal]),
      [
        ['cem', true, expiresAt, ''],
        ['new', true, expiresAt, ''],
        ['blocked', false, expiresAt, 'player_blocked'],
      ],
      'in the order of the request',
    )
    assert.deepEqual(await linksOf(list), rows)
    assert.deepEqual(await make(['other'], {}, list), await read(list), 'a repeat changes nothing')

    const [cem, fresh] = rows
    assert.match(cem?.link ?? '', /&lang=de$/)
    assert.equal((await open(cem?.link)).spinCount, 2)
    const links = async () => (await api.call('GET', '/players/cem/links')).body.links
    await until(async () => (await links()).length === 1)
    await api.call('PUT', `/links/${(await links())[0].linkId}/revocation`)
    assert.equal((await open(cem?.link)).code, 'game_token_revoked')

    await api.call('DELETE', '/players/new/personal-data')
    assert.equal((await open(fresh?.link)).code, 'game_token_revoked', 'the link of an erased player is dead')
    assert.deepEqual(
      (await linksOf(list)).map(({ playerId }) => playerId),
      ['cem', 'blocked'],
    )
    const { entries } = (await api.call('GET', '/audit-log?limit=50')).body
    const told = entries.map((entry: any) => `${entry.action} ${entry.after?.list ?? entry.subject}`)
    assert.ok(told.includes(`link_list.create ${list}`))
    assert.ok(told.includes(`data.export link-list ${list}`))

    assert.equal((await api.call('DELETE', `/link-lists/${list}`)).status, 200)
    assert.deepEqual((await api.call('GET', '/link-lists')).body.lists, [])
    assert.equal((await api.call('GET', `/link-lists/${list}/export`)).body.code, 'link_list_not_found')
    assert.equal((await make(['dan'])).players, 1)
  })

  test('a revoked list is gone, and so are its links', async () => {
    const { list } = await make(['eda', 'finn'])
    await finished(list)
    const rows = await linksOf(list)
    for (const { link } of rows) assert.equal((await open(link)).code, undefined)
    assert.equal((await api.call('PUT', `/link-lists/${list}/revocation`)).status, 200)
    for (const { link } of rows) assert.equal((await open(link)).code, 'game_token_revoked')
    const again = await api.call('PUT', `/link-lists/${list}/revocation`)
    assert.deepEqual([again.status, again.body.code], [404, 'link_list_not_found'])
    const [told] = (await api.call('GET', '/audit-log?limit=1')).body.entries
    assert.deepEqual([told.action, told.subject], ['link_list.revoke', list])
  })

  test('only tokens that may manage see a list, and wrong requests change nothing', async () => {
    for (const scope of ['links', 'read']) {
      const { token } = (await api.call('POST', '/tokens', { name: scope, scopes: [scope] })).body
      const { body } = await callApi(server, token, 'GET', '/api/v1/link-lists')
      assert.equal(body.code, 'scope_missing', scope)
    }
    const ids = async () => (await api.call('GET', '/link-lists')).body.lists.map(({ list }: any) => list)
    const listed = await ids()
    const wrong: [object, string][] = [
      [{ playerIds: [] }, 'validation_failed'],
      [{ playerIds: ['a\u0000'] }, 'validation_failed'],
      [{ playerIds: ['a'], expiresIn: 60 }, 'validation_failed'],
      [{ playerIds: ['a'], campaign: undefined }, 'validation_failed'],
      [{ playerIds: ['a'], campaign: 'none' }, 'campaign_not_found'],
      [{ playerIds: times(100_001, (index) => `p${index}`) }, 'validation_failed'],
    ]
    for (const [body, code] of wrong) {
      const request = { campaign: 'main', ...body }
      assert.equal((await api.call('PUT', `/link-lists/${randomUUID()}`, request)).body.code, code)
    }
    assert.deepEqual(await ids(), listed)
  })

  test('a killed server loses no link of a list and makes none twice', onLanding, async (t) => {
    const playerIds = times(300, (index) => `p-${index}`)
    const env = { DATABASE_URL: databaseUrl(server.target) }
    const dying = await spawnServer(t, env)
    const { list } = await make(playerIds)
    await until(async () => (await read(list)).made > 0)
    dying.child.kill('SIGKILL')
    await finished(list)
    const rows = await linksOf(list)
    assert.deepEqual(
      rows.map(({ playerId }) => playerId),
      playerIds,
    )
    const told: string[] = []
    let lastSeq = 0
    const readEvents = async () => {
      const page = await api.call('GET', `/events?types=link.created&after=${lastSeq}&limit=500`)
      for (const { seq, data } of page.body.events) {
        lastSeq = seq
        if (data.playerId.startsWith('p-')) told.push(data.playerId)
      }
      return told.length >= playerIds.length && page.body.events.length === 0
    }
    await until(readEvents)
    assert.deepEqual(told.toSorted(), playerIds.toSorted(), 'one event for each')
  })
})
