// The driver's process. It executes commands from its parent, one at a time. It keeps the works between turns, because
// they know the balance that every player must have.
import { makeWork, type WorkSpec } from '../work/make-work.ts'
import type { Tally, Work } from '../work/work.ts'
import { closedLoop, type Turn, type TurnResult } from './closed-loop.ts'
import { flood, type FloodResult, type FloodTurn } from './flood.ts'
import { openLoop, type OpenResult, type OpenTurn } from './open-loop.ts'

export type Command =
  | { command: 'prepare'; id: string; port: number; spec: WorkSpec }
  | { command: 'closed'; id: string; turn: Turn }
  | { command: 'open'; id: string; turn: OpenTurn }
  | { command: 'flood'; turn: FloodTurn }
  | { command: 'tally'; id: string }
  | { command: 'forget'; id: string }

export type Report =
  | { report: 'done' }
  | { report: 'turn'; result: TurnResult }
  | { report: 'open turn'; result: OpenResult }
  | { report: 'flood'; result: FloodResult }
  | { report: 'tally'; tally: Tally }
  | { report: 'failed'; reason: string }

const works = new Map<string, Work>()

process.on('message', (command: Command) => {
  execute(command).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      process.send?.({ report: 'failed', reason } satisfies Report)
    },
  )
})
process.on('disconnect', () => process.exit())

async function execute(command: Command): Promise<Report> {
  if (command.command === 'prepare') {
    const work = makeWork(command.spec)
    await work.prepare?.(command.port)
    works.set(command.id, work)
    return { report: 'done' }
  }
  if (command.command === 'forget') {
    works.delete(command.id)
    return { report: 'done' }
  }
  if (command.command === 'flood') return { report: 'flood', result: await flood(command.turn) }
  const work = workOf(command.id)
  if (command.command === 'tally') return { report: 'tally', tally: work.tally() }
  if (command.command === 'open') return { report: 'open turn', result: await openLoop(work, command.turn) }
  return { report: 'turn', result: await closedLoop(work, command.turn) }
}

function workOf(id: string): Work {
  const work = works.get(id)
  if (work === undefined) throw new Error(`work ${id} was not prepared`)
  return work
}
