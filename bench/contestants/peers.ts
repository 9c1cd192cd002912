import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { schema } from '../peers/plain-sql.ts'
import { packagesSkipReason } from '../scene/packages.ts'
import { databaseUrl } from '../scene/postgres.ts'
import { childrenMicros, startServer } from '../scene/server-process.ts'
import { type Contestant, type RunningContestant, expectEqual, type ScenarioSetup } from './contestant.ts'

export const peersFolder = join(import.meta.dirname, '..', 'peers')

export const bareHttp: Contestant = {
  name: 'bare http',
  async start() {
    const server = await startServer([process.execPath, join(peersFolder, 'bare-http.ts')], {})
    return {
      ...server,
      name: bareHttp.name,
      token: makeToken(),
      answers: 'echo',
      databaseMicros: () => 0,
      setStock: async () => undefined,
      check: async () => undefined,
    }
  },
}

export const fastifyTransaction: Contestant = {
  name: 'fastify, transaction',
  start: (setup) => startOnPostgres(setup, fastifyTransaction.name, 'fastify-transaction.ts'),
}

export const expressTypeorm: Contestant = {
  name: 'express, typeorm',
  skipReason: packagesSkipReason,
  start: (setup) => startOnPostgres(setup, expressTypeorm.name, join('express-typeorm', 'server.ts')),
}

/** Starts a peer that uses PostgreSQL with the plain schema, after filling the tables. */
async function startOnPostgres(setup: ScenarioSetup, name: string, file: string): Promise<RunningContestant> {
  const { postgres } = setup
  const token = makeToken()
  const { target, database, check } = await preparePlainDatabase(setup, name)
  const server = await startServer([process.execPath, join(peersFolder, file)], {
    DATABASE_URL: databaseUrl(target),
    SERVICE_TOKEN: token,
    GAME_SECRET: randomBytes(32).toString('hex'),
  })
  return {
    ...server,
    name,
    token,
    answers: 'plain',
    databaseMicros: () => childrenMicros(postgres.pid),
    async setStock(left) {
      await postgres.query(database, 'update prizes set stock = given + $1', [left])
    },
    check,
  }
}

/** Creates a database with the plain schema, players and prizes. Returns it with a check for the end. */
export async function preparePlainDatabase(
  { postgres, scenario, players, prizes }: ScenarioSetup,
  name: string,
) {
  const target = await postgres.createDatabase(`${name.replace(/\W+/g, '_')}_${scenario}`)
  const { database } = target
  await postgres.query(database, `set role wheelhouse; ${schema}`)
  await postgres.query(database, insertPlayers, [players])
  for (const [index, { label, weight, stock }] of prizes.entries())
    await postgres.query(database, 'insert into prizes values ($1, $2, $3, $4)', [
      index,
      label,
      weight,
      stock,
    ])
  await postgres.query(database, 'vacuum analyze players')
  const check: RunningContestant['check'] = async ({ grants, spins, plays, wins }) => {
    const [found] = await postgres.query(database, acknowledged)
    expectEqual(name, found ?? {}, { grants, spins, plays, wins, oversold: 0, off: 0 })
  }
  return { target, database, check }
}

export function makeToken(): string {
  return `bench-${randomBytes(5).toString('hex')}:${randomBytes(32).toString('hex')}`
}

const insertPlayers = `
insert into players (merchant_id, player_id)
select 1, 'player-' || lpad(number::text, 7, '0')
from generate_series(0, $1::int - 1) as number`

const acknowledged = `
select
  (select count(*)::int from ledger where kind = 'grant') as grants,
  (select coalesce(sum(amount), 0)::int from ledger where kind = 'grant') as spins,
  (select count(*)::int from plays) as plays,
  (select coalesce(sum(given), 0)::int from prizes) as wins,
  (select count(*)::int from prizes where given > stock) as oversold,
  (
    select count(*)::int
    from players
    left join (select merchant_id, player_id, sum(amount) from ledger group by 1, 2) as sums using (merchant_id, player_id)
    where balance <> coalesce(sum, 0)
  ) as off`
