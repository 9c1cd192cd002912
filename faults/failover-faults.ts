import { existsSync } from 'node:fs'
import { skipReason } from './children.ts'
import type { Finding } from './evidence.ts'
import type { Call, History } from './history.ts'
import type { HostPair } from './host-pair.ts'
import { Patroni } from './patroni.ts'
import { PlainPair } from './plain-pair.ts'
import type { Fault, FaultContext } from './round.ts'
import type { Scene } from './scene.ts'
import { Server } from './servers.ts'

/** The longest time without an acknowledged write. Patroni replaces a dead primary after `ttl`, 20 s, at the latest. */
const gapSecondsMax = 60

/** The two setups of docs/failover.md. Each fails over twice, so that both machines have been primary and standby. */
export const failoverFaults: Fault[] = [
  {
    name: 'failover-pair',
    about: 'a plain synchronous pair by the commands of docs/failover.md: the primary dies, twice',
    skipReason: () => needsDebian(['pg_createcluster', 'pg_conftool', 'runuser']),
    scene: async () => {
      const pair = await PlainPair.start()
      return Object.assign(await makeHostsScene(pair.hosts), { pair, changes: [] })
    },
    seconds: 60,
    run: failOverByHand,
    judge: judgeGaps,
  },
  {
    name: 'failover-patroni',
    about: 'Patroni with etcd: the leader dies, comes back, and is made the leader again by a switchover',
    skipReason: () => needsDebian(['patroni', 'patronictl', 'etcd', 'setpriv']),
    scene: async () => {
      const patroni = await Patroni.start()
      return Object.assign(await makeHostsScene(patroni.hosts), { patroni, changes: [] })
    },
    seconds: 100,
    run: failOverByPatroni,
    judge: judgeGaps,
  },
]

function needsDebian(commands: readonly string[]): string | undefined {
  const reason = skipReason({ root: true, commands })
  if (reason !== undefined) return reason
  return existsSync('/usr/lib/postgresql/15/bin/postgres') ? undefined : "needs Debian's postgresql-15"
}

/** `changes`: what was done to the primary, and when. */
type ChangingScene = Scene & { changes: { what: string; at: number }[] }

async function makeHostsScene(hosts: HostPair): Promise<Scene> {
  const servers: Server[] = []
  for (let place = 0; place < 3; place++) servers.push(await Server.start({ databaseUrl: hosts.url }))
  return {
    postgres: hosts,
    servers,
    proxies: [],
    urls: servers.map(({ url }) => url),
    repair: async () => undefined,
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
      await hosts.remove()
    },
  }
}

function note({ scene }: FaultContext, what: string): void {
  ;(scene as ChangingScene).changes.push({ what, at: performance.now() })
}

async function failOverByHand(ctx: FaultContext): Promise<void> {
  const { pair } = ctx.scene as Scene & { pair: PlainPair }
  const [victim] = ctx.scene.servers as [Server]
  await ctx.pause(5_000)
  note(ctx, 'the primary was killed')
  pair.kill('db1')
  await pair.run('The primary dies')
  await ctx.pause(6_000)
  // The old primary comes back although it should not, and a server starts while both take connections.
  await pair.startByMistake('db1')
  await victim.kill()
  await victim.start()
  await ctx.pause(6_000)
  await pair.run('Make the old primary the standby')
  await ctx.pause(6_000)
  note(ctx, 'the second primary was killed')
  pair.kill('db2')
  await pair.run('The primary dies', true)
  await ctx.pause(6_000)
  await pair.run('Make the old primary the standby', true)
  await ctx.pause(5_000)
}

async function failOverByPatroni(ctx: FaultContext): Promise<void> {
  const { patroni } = ctx.scene as Scene & { patroni: Patroni }
  await ctx.pause(5_000)
  const first = await patroni.leader()
  note(ctx, 'the leader was killed')
  patroni.kill(first)
  await untilWritten(ctx)
  await patroni.startMachine(first)
  await patroni.untilSynchronous()
  await ctx.pause(5_000)
  note(ctx, 'the roles were switched over')
  await patroni.switchOver()
  await untilWritten(ctx)
  await patroni.untilSynchronous()
  await ctx.pause(5_000)
}

/** Waits for a write that was sent after the newest change. */
async function untilWritten(ctx: FaultContext): Promise<void> {
  const since = (ctx.scene as ChangingScene).changes.at(-1)?.at ?? 0
  while (!ctx.isOver()) {
    if (writesOf(ctx.history).some((call) => call.sentAt > since)) return
    await ctx.pause(200)
  }
}

/** Reports the longest time without an acknowledged write after each change. */
function judgeGaps(ctx: FaultContext, history: History): Finding[] {
  const { changes } = ctx.scene as ChangingScene
  const answered = writesOf(history)
    .map(({ answeredAt }) => answeredAt)
    .toSorted((one, other) => one - other)
  const findings = changes.map(({ what, at }, index) => {
    const end = changes[index + 1]?.at ?? Infinity
    const times = answered.filter((time) => time > at - 1_000 && time < end)
    const gaps = times.slice(1).map((time, place) => time - (times[place] as number))
    const seconds = Math.max(0, ...gaps) / 1000
    ctx.log(`${what}: no write was acknowledged for ${seconds.toFixed(1)} s`)
    return { seconds, what }
  })
  const tooLong = findings.filter(({ seconds }) => !(seconds < gapSecondsMax))
  return tooLong.map((example) => ({ what: 'writes were not acknowledged for too long', example }))
}

function writesOf({ calls }: History): Call[] {
  return calls.filter(({ kind, outcome }) => outcome === 'ok' && kind !== 'read' && kind !== 'open')
}
