// `npm run bench:webhooks [-- --events 100000 --kills 20]`: measures how fast webhooks are sent while other receivers
// are dead, and checks that nothing is lost when the sending processes are killed.
// `npm run bench:webhooks -- slow-neighbours`: measures a healthy webhook beside 200 slow ones of other merchants.
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { Postgres } from '../scene/postgres.ts'
import { measureBookkeeping } from './bookkeeping.ts'
import { killRepeatedly } from './kills.ts'
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
    if (kills > 0) await killRepeatedly(postgres, { events, kills })
  }
} finally {
  await postgres.stop()
}
