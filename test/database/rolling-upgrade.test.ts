// From 0.3.0 to this version, while merchants and players go on. The old version is needed: `npm run test:upgrade`.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import {
  type Answer,
  asSuperuser,
  databaseUrl,
  defer,
  makeEmptyDatabase,
  node,
  post,
  runCli,
  spawnServer,
  times,
  until,
} from '../scenes/scene.ts'

const oldWheelhouse = process.env.OLD_WHEELHOUSE
const skip = oldWheelhouse === undefined ? 'needs the old version: npm run test:upgrade' : false
const clients = 6

test(
  'a new process starts and the old one stops under load: no grant or play is lost or doubled',
  { skip },
  async (t) => {
    const target = await makeEmptyDatabase(t)
    const env = { DATABASE_URL: databaseUrl(target) }
    const oldMain = join(oldWheelhouse ?? '', 'src', 'main.ts')
    const old = await spawnServer(t, env, oldMain)
    await run(oldMain, ['merchant', 'create', 'acme'], env)
    const token = (await run(oldMain, ['token', 'issue', 'acme', '--name', 'shop'], env)).split(
      '\n',
    )[0] as string
    let urls = [old.url]
    const done = {
      grants: new Map<string, number>(),
      plays: new Map<string, unknown>(),
      retries: 0,
      isOver: false,
    }

    /** Sends a request to some process until it is answered, as a merchant's server or the game page does. */
    async function send(path: string, body: object, headers = {}): Promise<Answer> {
      for (;;) {
        const url = urls[Math.floor(Math.random() * urls.length)] as string
        const answer = await post(`${url}${path}`, token, body, headers).catch(() => undefined)
        if (answer !== undefined && answer.body.retryable !== true) return answer
        done.retries++
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const oldLink = await send('/api/game/sso', { playerId: 'p-0' })

    async function client(index: number): Promise<void> {
      const playerId = `p-${index}`
      const link = index === 0 ? oldLink : await send('/api/game/sso', { playerId })
      for (let round = 0; !done.isOver; round++) {
        const key = `${playerId}-${round}`
        const grant = { playerId, spinNumber: 1 }
        const granted = await send('/api/player/increaseSpin', grant, { 'Idempotency-Key': key })
        assert.equal(granted.status, 200, JSON.stringify(granted.body))
        done.grants.set(key, granted.body.spinCount as number)
        await play(link)
      }
    }

    async function play(link: Answer): Promise<void> {
      const opened = (await send('/api/v1/game/session', { token: link.body.token })).body as any
      const playId = randomUUID()
      const order = { session: opened.session, playId, playerSeed: randomBytes(32).toString('hex') }
      const about = { commitment: opened.next.commitment, versionHash: opened.wheel.hash }
      const played = await send('/api/v1/game/plays', { ...order, ...about })
      assert.equal(played.status, 200, JSON.stringify(played.body))
      done.plays.set(playId, (played.body as any).play.segment)
    }

    defer(t, () => (done.isOver = true))
    const load = Promise.all(times(clients, client))
    const rounds = (count: number) => {
      const goal = done.plays.size + count
      return until(() => done.plays.size >= goal)
    }
    await rounds(60)
    const renewed = await spawnServer(t, env)
    urls = [old.url, renewed.url]
    await rounds(120)
    old.child.kill('SIGTERM')
    await rounds(30)
    urls = [renewed.url]
    await old.stopped
    await rounds(60)
    done.isOver = true
    await load

    const [counted] = await asSuperuser(target.database, async (db) => {
      const sql = `select
      (select count(*)::int from ledger_entries where kind = 'grant') as grants,
      (select count(*)::int from plays) as plays`
      return (await db.query(sql)).rows
    })
    assert.deepEqual(counted, { grants: done.grants.size, plays: done.plays.size })
    for (const [key, spinCount] of done.grants) {
      const grant = { playerId: key.replace(/-\d+$/, ''), spinNumber: 1 }
      const repeated = await send('/api/player/increaseSpin', grant, { 'Idempotency-Key': key })
      assert.equal(repeated.body.spinCount, spinCount, key)
    }
    assert.match((await runCli(['audit'], env)).stdout, /^Clean: /)
    t.diagnostic(`${done.grants.size} grants, ${done.plays.size} plays, ${done.retries} retries`)
  },
)

async function run(program: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(node, [program, ...args], { env: { PATH: process.env.PATH, ...env } })
  const output = text(child.stdout)
  const [code] = (await once(child, 'exit')) as [number]
  assert.equal(code, 0, await text(child.stderr))
  return output
}
