import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { freePort, makeFolder, repository, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

/**
 * Without it, the clone gets this checkout's packages and pages instead of `npm ci`, which takes a minute of processor
 * time and has just run wherever these tests run. `npm run test:install` sets it.
 */
const installs = process.env.INSTALLS === 'yes'

test(
  "the README's first command starts a server in a clean clone with a clean HOME, and its curl lines work",
  onLanding,
  async (t) => {
    const folder = makeFolder(t)
    chmodSync(folder, 0o700)
    const clone = join(folder, 'clone')
    const home = join(folder, 'home')
    mkdirSync(home)
    // The files of a commit: tracked files only, and no other files of the folder.
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: repository,
      encoding: 'utf8',
    })
    for (const file of files
      .split('\n')
      .filter((name) => name !== '' && existsSync(join(repository, name)))) {
      mkdirSync(dirname(join(clone, file)), { recursive: true })
      cpSync(join(repository, file), join(clone, file))
    }
    const [, command] =
      /## Run it[\s\S]*?```console\n(.*)\n```/.exec(readFileSync(join(clone, 'README.md'), 'utf8')) ?? []
    assert.ok(command)
    assert.equal(command, 'npm ci && npm start')
    if (!installs) shareInstallation(clone)

    // The machine's own Node and npm, not those that run this test.
    const path = (process.env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'))
    const outside = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|TEST_|INIT_CWD)/.test(name)),
    )
    const port = await freePort()
    const child = spawn('bash', ['-c', installs ? command : 'npm start'], {
      cwd: clone,
      env: { ...outside, PATH: path.join(':'), HOME: home, PORT: String(port), METRICS_ADDRESS: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    t.after(async () => {
      const group = child.pid as number
      if (liveProcesses(group) > 0) process.kill(-group, 'SIGTERM')
      await until(() => liveProcesses(group) === 0)
      // For root the data is elsewhere, since other users cannot read this folder.
      const data = join(clone, 'data', 'embedded')
      if (existsSync(data)) rmSync(realpathSync(data), { recursive: true, force: true })
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    await until(() => {
      assert.equal(child.exitCode, null, output)
      return output.includes('/api/game/sso')
    }, 1_200_000)

    const commands = output.split('\n').filter((line) => line.startsWith('  curl '))
    assert.equal(commands.length, 2)
    const answers = commands.map(
      (line) =>
        JSON.parse(
          execFileSync('bash', ['-c', line], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
        ) as Record<string, unknown>,
    )
    assert.deepEqual(answers[0], { playerId: 'alice', spinCount: 5 })
    assert.match(
      String(answers[1]?.link),
      new RegExp(`^http://127\\.0\\.0\\.1:${port}/spinthewheel/\\?token=`),
    )

    assert.ok(liveProcesses(child.pid as number) > 0)
    process.kill(-(child.pid as number), 'SIGTERM')
    await until(() => liveProcesses(child.pid as number) === 0)
    const database = join(clone, 'data', 'embedded')
    assert.ok(existsSync(join(database, 'postgres', 'PG_VERSION')))
    assert.ok(
      !existsSync(join(database, 'postgres', 'postmaster.pid')),
      'PostgreSQL has stopped before the server',
    )
  },
)

/** Links to everything that `npm ci` makes. */
function shareInstallation(clone: string): void {
  for (const made of ['node_modules', ...globSync(['web/*/dist', 'web/game/*/dist'], { cwd: repository })])
    symlinkSync(join(repository, made), join(clone, made))
}

/** The number of live processes of a group, without zombies. */
function liveProcesses(group: number): number {
  return execFileSync('ps', ['-A', '-o', 'pgid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([id, state]) => id === String(group) && !state?.startsWith('Z')).length
}
