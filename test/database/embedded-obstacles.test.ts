// PostgreSQL processes that are stopped, or that outlive their postmaster, prevent a new start.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { EmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import { isStopped, processesOn } from '../../src/db/embedded/processes.ts'
import { clusterMaker, clusterOf, demoToken, grant, postmasterOf, queryOnce, runs } from './embedded-scene.ts'
import { defer, type Lifetime, runCli, spawnServer, until, untilOutput } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const options =
  process.platform === 'linux' ? onLanding : { skip: 'only Linux shows the processes of a folder' }

describe('obstacles to the embedded PostgreSQL', { ...options, concurrency: 3 }, () => {
  const makeCluster = clusterMaker()

  test('a server reports the stopped processes of a killed PostgreSQL, and continues once they have exited', async (t) => {
    const dataDir = makeCluster(t)
    const server = await spawnServer(t, { DATA_DIR: dataDir })
    const token = demoToken(server)
    assert.equal((await grant(server, token, 'before')).status, 200)
    const stopped = await killPostmasterOnly(t, dataDir)
    await untilOutput(server, `kill -CONT ${stopped.join(' ')}`)
    const command = await runCli(['merchant', 'list'], { DATA_DIR: dataDir })
    assert.equal(command.code, 1)
    assert.match(command.stderr, /^wheelhouse: PostgreSQL was killed, but processes .* kill -CONT [\d ]+\n$/)
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
    await until(async () => (await grant(server, token, 'after')).status === 200)
    assert.equal((await grant(server, token, 'count')).body.spinCount, 15)
  })

  test('a start while such processes remain reports them, and succeeds once they have exited', async (t) => {
    const dataDir = makeCluster(t)
    const first = await spawnServer(t, { DATA_DIR: dataDir })
    first.child.kill('SIGKILL')
    await first.stopped
    const stopped = await killPostmasterOnly(t, dataDir)
    const troubles: string[] = []
    const onTrouble = (message: string) => troubles.push(message)
    const starting = EmbeddedPostgres.start({ dataDir, sharingAllowed: false, onTrouble })
    await until(() => troubles.some((trouble) => trouble.endsWith(`kill -CONT ${stopped.join(' ')}`)))
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
    const embedded = await starting
    defer(t, () => embedded.stop())
    assert.deepEqual(await queryOnce(embedded, 'select 1 as one'), [{ one: 1 }])
  })

  test('a start on a PostgreSQL paused by SIGSTOP reports it, and succeeds once it continues', async (t) => {
    const dataDir = makeCluster(t)
    const first = await spawnServer(t, { DATA_DIR: dataDir })
    const postmaster = postmasterOf(dataDir)
    process.kill(postmaster, 'SIGSTOP')
    defer(t, () => [postmaster].filter(runs).forEach((pid) => process.kill(pid, 'SIGCONT')))
    first.child.kill('SIGKILL')
    await first.stopped
    const second = await runCli(['merchant', 'list'], { DATA_DIR: dataDir })
    assert.equal(
      second.stderr.split('process ')[1],
      `${postmaster}). Continue it: kill -CONT ${postmaster}\n`,
    )
    process.kill(postmaster, 'SIGCONT')
    assert.equal((await runCli(['merchant', 'list'], { DATA_DIR: dataDir })).code, 0)
  })
})

/** Stops all PostgreSQL processes except the postmaster, kills the postmaster, and returns the remaining processes. */
async function killPostmasterOnly(t: Lifetime, dataDir: string): Promise<number[]> {
  const postmaster = postmasterOf(dataDir)
  process.kill(postmaster, 'SIGSTOP') // Now it cannot start other processes.
  const others = () => processesOn(clusterOf(dataDir)).filter((pid) => pid !== postmaster)
  for (const pid of others()) process.kill(pid, 'SIGSTOP')
  defer(t, () => spawnSync('kill', ['-CONT', ...others().map(String)])) // They may end at any moment.
  // The backends of a killed server are ending; one that had begun to end does not stop.
  await until(() => others().every(isStopped))
  process.kill(postmaster, 'SIGKILL')
  return others()
}
