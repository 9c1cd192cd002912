import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { describeBuild, readBuild } from '../../src/version.ts'
import {
  databaseUrl,
  makeDatabase,
  makeFolder,
  makeMerchant,
  makeServer,
  repository,
  spawnServer,
  untilOutput,
} from '../scenes/scene.ts'
import { makeBrowser, makeStaff, signInAs } from '../scenes/staff-scene.ts'
import { onLanding } from '../scenes/selection.ts'

const build = readBuild()

describe('the build of a server', { concurrency: 2 }, () => {
  test('is the commit of a clone, of a work tree or of an archive, or unknown', (t) => {
    const clone = makeFolder(t)
    const git = (...args: string[]) => {
      const settings = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
      return execFileSync('git', [...settings, ...args], { cwd: clone, encoding: 'utf8' }).trim()
    }
    assert.equal(readBuild(clone).commit, null)
    assert.match(describeBuild(readBuild(clone)), /^\d+\.\d+\.\d+$/)
    git('init', '--quiet')
    assert.equal(readBuild(clone).commit, null)
    git('commit', '--quiet', '--allow-empty', '--message', 'first')
    const commit = git('rev-parse', 'HEAD')
    assert.equal(readBuild(clone).commit, commit)
    git('pack-refs', '--all')
    assert.equal(readBuild(clone).commit, commit)
    git('worktree', 'add', '--quiet', '-b', 'other', 'other')
    assert.equal(readBuild(join(clone, 'other')).commit, commit)
    git('checkout', '--quiet', '--detach')
    assert.equal(readBuild(clone).commit, commit)

    const archive = makeFolder(t)
    mkdirSync(join(archive, 'src'))
    writeFileSync(join(archive, 'src', 'commit.txt'), `${commit}\n`)
    assert.equal(readBuild(archive).commit, commit)
    assert.equal(describeBuild({ version: '1.2.3', commit }), `1.2.3 (${commit.slice(0, 12)})`)
  })

  test('an archive has the commit in it', () => {
    const attribute = execFileSync('git', ['check-attr', 'export-subst', 'src/commit.txt'], {
      cwd: repository,
      encoding: 'utf8',
    })
    assert.match(attribute, /: export-subst: set$/m)
  })

  test('is in the first line of the log', onLanding, async (t) => {
    const { target } = await makeDatabase(t)
    const server = await spawnServer(t, { DATABASE_URL: databaseUrl(target), LOG_LEVEL: 'info' })
    await untilOutput(server, '"msg":"starting"}')
    // What the server prints for people has a pipe of its own, which may be faster.
    const line = server
      .output()
      .split('\n')
      .find((text) => text.startsWith('{'))
    const first = JSON.parse(line ?? '') as Record<string, unknown>
    assert.partialDeepStrictEqual(first, { msg: 'starting', ...build })
  })

  test('is told by /readyz to callers with a token, and to nobody else', async (t) => {
    const server = await makeServer(t)
    const { token } = await makeMerchant(server.ctx.db, { scopes: ['read'] })
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(`${server.url}/readyz`, { headers })
      return [response.status, await response.json()]
    }
    assert.deepEqual(await ask({ Authorization: token }), [200, { status: 'ready', ...build }])
    const wrong = `${token.slice(0, -4)}0000`
    for (const headers of [{}, { Authorization: wrong }, { Authorization: 'x' }])
      assert.deepEqual(await ask(headers), [200, { status: 'ready' }])
  })

  test('is told to staff who are signed in, for the footer of the console', async (t) => {
    const server = await makeServer(t)
    const path = '/api/v1/session'
    assert.equal((await makeBrowser(server).call('GET', path)).body.build, null)
    const browser = await signInAs(server, await makeStaff(server.ctx.db, []))
    assert.equal((await browser.call('GET', path)).body.build, describeBuild(build))
  })
})
