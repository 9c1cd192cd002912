import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCommand } from '../scene/redis.ts'
import { childrenMicros } from '../scene/server-process.ts'
import type { Contestant } from './contestant.ts'
import { preparePlainDatabase } from './peers.ts'

/** The limit of the database: the transaction of a plain grant, sent by PostgreSQL's own benchmark, without HTTP. */
export const pgbench: Contestant = {
  name: 'pgbench',
  skipReason: () =>
    hasCommand('pgbench')
      ? undefined
      : 'pgbench is not installed (Debian: apt-get install postgresql-contrib)',
  async start(setup) {
    const { postgres } = setup
    const { database, check } = await preparePlainDatabase(setup, pgbench.name)
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
    const script = join(folder, 'grant.sql')
    writeFileSync(script, grantScript(setup.players))
    let grants = 0
    return {
      name: pgbench.name,
      port: 0,
      pid: 0,
      token: '',
      answers: 'none',
      databaseMicros: () => childrenMicros(postgres.pid),
      setStock: async () => undefined,
      async ownTurn({ connections, seconds }) {
        const whole = Math.max(1, Math.round(seconds))
        const flags = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '1', '-T', String(whole)]
        const address = ['-h', postgres.socketFolder, '-U', 'wheelhouse', '-f', script, database]
        const { stdout } = await promisify(execFile)('pgbench', [...flags, ...address])
        const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1])
        const answers = figure(/actually processed: (\d+)/)
        if (!(answers > 0) || figure(/failed transactions: (\d+)/) > 0) throw new Error(stdout)
        grants += answers
        const p50 = figure(/latency average = ([\d.]+) ms/)
        const latency = { p50, p95: Number.NaN, p99: Number.NaN, max: Number.NaN }
        return { answers, seconds: answers / figure(/tps = ([\d.]+)/), latency, driverMicros: Number.NaN }
      },
      async check() {
        const [sum] = await postgres.query<{ spins: number }>(
          database,
          'select sum(amount)::int as spins from ledger',
        )
        await check({ grants, spins: sum?.spins ?? 0, plays: 0, wins: 0, links: 0, entries: 0 })
      },
      async stop() {
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}

function grantScript(players: number): string {
  const player = "'player-' || lpad((:player)::text, 7, '0')"
  return `
\\set player random(0, ${players - 1})
\\set amount random(1, 9)
\\set key random(1, 9000000000000000)
begin;
insert into players (merchant_id, player_id, balance) values (1, ${player}, :amount)
on conflict (merchant_id, player_id) do update set balance = players.balance + excluded.balance
returning balance \\gset
insert into ledger (merchant_id, player_id, kind, key, amount, balance_after)
values (1, ${player}, 'grant', 'order-' || (:key)::text, :amount, :balance) on conflict do nothing;
commit;
`
}
