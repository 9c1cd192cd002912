import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { WorkSpec } from '../work/make-work.ts'
import type { Tally } from '../work/work.ts'
import type { Turn, TurnResult } from './closed-loop.ts'
import type { FloodResult, FloodTurn } from './flood.ts'
import type { OpenResult, OpenTurn } from './open-loop.ts'
import type { Command, Report } from './worker.ts'

/** The driver runs in a process of its own, so that other work of the bench does not affect the measured turns. */
export class Driver {
  readonly #child: ChildProcess

  static start(): Driver {
    return new Driver(fork(join(import.meta.dirname, 'worker.ts'), { serialization: 'advanced' }))
  }

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  get pid(): number {
    return this.#child.pid as number
  }

  async prepare(id: string, port: number, spec: WorkSpec): Promise<void> {
    await this.#send({ command: 'prepare', id, port, spec })
  }

  async closedLoop(id: string, turn: Turn): Promise<TurnResult> {
    const report = await this.#send({ command: 'closed', id, turn })
    if (report.report !== 'turn') throw new Error(`the driver reported ${report.report}`)
    return report.result
  }

  async openLoop(id: string, turn: OpenTurn): Promise<OpenResult> {
    const report = await this.#send({ command: 'open', id, turn })
    if (report.report !== 'open turn') throw new Error(`the driver reported ${report.report}`)
    return report.result
  }

  async flood(turn: FloodTurn): Promise<FloodResult> {
    const report = await this.#send({ command: 'flood', turn })
    if (report.report !== 'flood') throw new Error(`the driver reported ${report.report}`)
    return report.result
  }

  async tally(id: string): Promise<Tally> {
    const report = await this.#send({ command: 'tally', id })
    if (report.report !== 'tally') throw new Error(`the driver reported ${report.report}`)
    return report.tally
  }

  /** Releases a work that is finished. */
  async forget(id: string): Promise<void> {
    if (this.#child.connected) await this.#send({ command: 'forget', id })
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect()
  }

  async #send(command: Command): Promise<Report> {
    if (!this.#child.connected) throw new Error('the driver has exited')
    const { promise, resolve, reject } = Promise.withResolvers<Report>()
    const onExit = () => reject(new Error('the driver has exited'))
    this.#child.once('message', resolve)
    this.#child.once('exit', onExit)
    this.#child.send(command)
    const report = await promise
    this.#child.off('exit', onExit)
    if (report.report === 'failed') throw new Error(report.reason)
    return report
  }
}
