import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import {
  makeFolder,
  makeMerchant,
  makeServer,
  node,
  post,
  repository,
  type Server,
  suiteLifetime,
  times,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const program = join(repository, 'packages', 'client', 'src', 'command-line', 'main.ts')

describe('the command api of wheelhouse-client', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let token: string
  const folder = makeFolder(lifetime)
  before(async () => {
    server = await makeServer(lifetime)
    token = (await makeMerchant(server.ctx.db)).token
  })

  function call(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = { WHEELHOUSE_URL: server.url, WHEELHOUSE_TOKEN: token }
    return new Promise((resolve) =>
      execFile(node, [program, 'api', ...args], { env, cwd: folder }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      ),
    )
  }
  async function output(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await call(...args)
    assert.equal(code, 0, stderr)
    return stdout
  }
  const json = async (...args: string[]) => JSON.parse(await output(...args))

  test('a wheel goes into a file and back unchanged, and a revision that is outdated is refused', async () => {
    const file = join(folder, 'wheel.json')
    const named = { ...defaultWheel, name: 'Cook \u{1F469}\u200D\u{1F373} \u2764\uFE0F' }
    writeFileSync(file, JSON.stringify(named))
    assert.equal((await json('PUT', 'wheels/main', '--data', 'wheel.json')).draftRevision, 2)
    writeFileSync(file, await output('GET', 'wheels/main', '--pick', 'draft'))
    assert.match(readFileSync(file, 'utf8'), /^\{\n {2}"/)
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), named)
    const outdated = await call('PUT', 'wheels/main', '--data', 'wheel.json', '--if-match', '1')
    assert.equal(outdated.code, 1)
    assert.match(outdated.stderr, /^wheelhouse-client: draft_changed: /)
    await output('PUT', 'wheels/main', '--data', 'wheel.json', '--if-match', '2')
    assert.equal(await output('POST', 'wheels/main/publication', '--pick', 'version'), '2\n')
  })

  test('fields are the body, or the query; values are texts, or JSON', onLanding, async () => {
    const created = await json('POST', 'campaigns', 'campaign=summer', 'name=5', 'wheel=main', 'priority:=5')
    assert.deepEqual([created.name, created.priority], ['5', 5])
    const changed = await json(
      'PATCH',
      'campaigns/summer',
      'isPaused:=true',
      'opensAt=2031-06-01T09:00:00+02:00',
    )
    assert.deepEqual([changed.state, changed.opensAt], ['paused', '2031-06-01T07:00:00.000Z'])
    assert.deepEqual(await json('GET', 'campaigns', 'limit=1', 'fields=campaign', '--pick', 'campaigns'), [
      { campaign: 'main' },
    ])
    assert.equal(await output('GET', '/api/v1/campaigns/summer', '--pick', 'campaign'), 'summer\n')
    assert.equal(await output('GET', 'campaigns/summer', '--pick', 'campaign', '--json'), '"summer"\n')
    await output('PUT', 'test-merchant?test=ci-1')
    await output('DELETE', 'test-merchant', 'test=ci-1')
    assert.deepEqual((await json('GET', 'test-merchants')).testMerchants, [])
  })

  test('a file of codes is sent as its kind', async () => {
    writeFileSync(join(folder, 'codes.csv'), `code,note\n${times(2_000, (n) => `"K-${n}",x`).join('\r\n')}\n`)
    const path = 'code-pools/big/uploads'
    assert.deepEqual(await json('POST', path, 'header=true', '--data', 'codes.csv'), {
      read: 2_000,
      added: 2_000,
    })
    writeFileSync(join(folder, 'codes.ndjson'), '"K-1"\n{"code":"L-1"}\n')
    assert.deepEqual(await json('POST', path, '--data', 'codes.ndjson'), { read: 2, added: 1 })
    assert.equal((await json('GET', 'code-pools/big')).left, 2_001)
  })

  test('an operation that needs a key gets one, unless there is one', onLanding, async () => {
    await post(`${server.url}/api/player/increaseSpin`, token, { playerId: 'ann lee', spinNumber: 7 })
    const correct = async (...key: string[]) =>
      (await json('POST', 'players/ann lee/corrections', 'amount:=-1', 'reason=twice', ...key)).spinCount
    assert.deepEqual([await correct(), await correct()], [6, 5])
    assert.deepEqual([await correct('--key', 'a'), await correct('--key', 'a')], [4, 4])
  })

  test('wrong arguments exit with 2, a refusal with 1, and each says what is wrong', async () => {
    const cases: [string[], number, RegExp][] = [
      [['wheels'], 2, /Name a method \(GET, PUT, .*\) and a path[^]+Usage: wheelhouse-client api/],
      [['GET', 'wheels/{wheel}'], 2, /Name a method/],
      [['PUT', 'wheels/main', 'name'], 2, /"name" is not <name>=<value>/],
      [['PATCH', 'campaigns/main', 'priority:=five'], 2, /The value of priority is not JSON/],
      [['PUT', 'wheels/main', '--data', 'nowhere.json'], 2, /nowhere\.json can't be read: ENOENT/],
      [['GET', 'wheels', '--pick', 'wheel'], 1, /The answer has no field "wheel"/],
      [['PATCH', 'campaigns/main', 'priority=5'], 1, /validation_failed: [^]*\/priority/],
      [['GET', 'wheels/none'], 1, /wheel_not_found/],
    ]
    await Promise.all(
      cases.map(async ([args, code, complaint]) => {
        const run = await call(...args)
        assert.deepEqual([args, run.code], [args, code], run.stderr)
        assert.match(run.stderr, complaint)
      }),
    )
  })
})
