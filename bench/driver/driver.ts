import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { WorkSpec } from '../work/make-work.ts'
import type { Tally } from '../work/work.ts'
import type { Turn, TurnResult } from './closed-loop.ts'
import type { OpenResult, OpenTurn } from './open-loop.ts'
import type { Order, Report } from './worker.ts'

/** The driver, in a process of its own, so that the bench's own doings cost the measured turns nothing. */
export class Driver {
  readonly #child: ChildProcess

  static start(): Driver {
    return new Driver(fork(join(import.meta.dirname, 'worker.ts'), { serialization: 'advanced' }))
  }

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  async prepare(id: string, port: number, spec: WorkSpec): Promise<void> {
    await this.#ask({ order: 'prepare', id, port, spec })
  }

  async closedLoop(id: string, turn: Turn): Promise<TurnResult> {
    const report = await this.#ask({ order: 'closed', id, turn })
    if (report.report !== 'turn') throw new Error(`the driver reported ${report.report}`)
    return report.result
  }

  async openLoop(id: string, turn: OpenTurn): Promise<OpenResult> {
    const report = await this.#ask({ order: 'open', id, turn })
    if (report.report !== 'open turn') throw new Error(`the driver reported ${report.report}`)
    return report.result
  }

  async tally(id: string): Promise<Tally> {
    const report = await this.#ask({ order: 'tally', id })
    if (report.report !== 'tally') throw new Error(`the driver reported ${report.report}`)
    return report.tally
  }

  /** Lets go of a work that is over. */
  async forget(id: string): Promise<void> {
    if (this.#child.connected) await this.#ask({ order: 'forget', id })
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect()
  }

  async #ask(order: Order): Promise<Report> {
    if (!this.#child.connected) throw new Error('the driver is gone')
    const { promise, resolve, reject } = Promise.withResolvers<Report>()
    const leave = () => reject(new Error('the driver is gone'))
    this.#child.once('message', resolve)
    this.#child.once('exit', leave)
    this.#child.send(order)
    const report = await promise
    this.#child.off('exit', leave)
    if (report.report === 'failed') throw new Error(report.reason)
    return report
  }
}
