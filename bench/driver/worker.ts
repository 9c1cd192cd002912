// The driver's process. It does what it is told over the channel to its parent, one order at a time, and keeps the works
// between turns: they remember what every player must have.
import { makeWork, type WorkSpec } from '../work/make-work.ts'
import type { Tally, Work } from '../work/work.ts'
import { closedLoop, type Turn, type TurnResult } from './closed-loop.ts'
import { openLoop, type OpenResult, type OpenTurn } from './open-loop.ts'

export type Order =
  | { order: 'prepare'; id: string; port: number; spec: WorkSpec }
  | { order: 'closed'; id: string; turn: Turn }
  | { order: 'open'; id: string; turn: OpenTurn }
  | { order: 'tally'; id: string }
  | { order: 'forget'; id: string }

export type Report =
  | { report: 'done' }
  | { report: 'turn'; result: TurnResult }
  | { report: 'open turn'; result: OpenResult }
  | { report: 'tally'; tally: Tally }
  | { report: 'failed'; reason: string }

const works = new Map<string, Work>()

process.on('message', (order: Order) => {
  carryOut(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      process.send?.({ report: 'failed', reason } satisfies Report)
    },
  )
})
process.on('disconnect', () => process.exit())

async function carryOut(order: Order): Promise<Report> {
  if (order.order === 'prepare') {
    const work = makeWork(order.spec)
    await work.prepare?.(order.port)
    works.set(order.id, work)
    return { report: 'done' }
  }
  if (order.order === 'forget') {
    works.delete(order.id)
    return { report: 'done' }
  }
  const work = workOf(order.id)
  if (order.order === 'tally') return { report: 'tally', tally: work.tally() }
  if (order.order === 'open') return { report: 'open turn', result: await openLoop(work, order.turn) }
  return { report: 'turn', result: await closedLoop(work, order.turn) }
}

function workOf(id: string): Work {
  const work = works.get(id)
  if (work === undefined) throw new Error(`no work ${id} was prepared`)
  return work
}
