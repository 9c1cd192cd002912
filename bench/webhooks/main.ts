// `npm run bench:webhooks [-- --events 100000 --kills 20]`: how fast webhooks are sent, beside receivers that are dead, and
// whether anything is lost when the processes that send them are killed. `npm run bench:webhooks -- slow-neighbours`: what a
// healthy webhook feels of 200 slow ones of other merchants.
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { Postgres } from '../scene/postgres.ts'
import { measureBookkeeping } from './bookkeeping.ts'
import { killAgainAndAgain } from './kills.ts'
import { measureRate } from './rate.ts'
import { measureSlowNeighbours } from './slow-neighbours.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    events: { type: 'string', default: '100000' },
    players: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
  },
})
const events = Number(values.events)
const kills = Number(values.kills)
const memory = Math.round(totalmem() / 2 ** 30)
console.log(`${cpus().length} × ${cpus()[0]?.model}, ${memory} GB, Node ${process.version}`)
const postgres = await Postgres.start()
try {
  if (positionals.includes('slow-neighbours')) await measureSlowNeighbours(postgres)
  else {
    await measureBookkeeping(postgres, events)
    await measureRate(postgres, { events, players: Number(values.players) })
    if (kills > 0) await killAgainAndAgain(postgres, { events, kills })
  }
} finally {
  await postgres.stop()
}
