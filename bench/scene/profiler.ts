import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CpuProfile, printProfile } from '../profile.ts'

/** Takes CPU profiles of a server that was started with `--inspect`, during measured turns only. */
export class Profiler {
  readonly #socket: WebSocket
  readonly #folder: string
  readonly #waiting = new Map<number, (result: never) => void>()
  #calls = 0

  static async attach(inspectPort: number, folder: string): Promise<Profiler> {
    const answer = await fetch(`http://127.0.0.1:${inspectPort}/json/list`)
    const [page] = (await answer.json()) as { webSocketDebuggerUrl: string }[]
    const socket = new WebSocket(page?.webSocketDebuggerUrl ?? '')
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', reject)
    })
    const profiler = new Profiler(socket, folder)
    await profiler.#call('Profiler.enable')
    await profiler.#call('Profiler.setSamplingInterval', { interval: 500 })
    return profiler
  }

  private constructor(socket: WebSocket, folder: string) {
    this.#socket = socket
    this.#folder = folder
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id: number; result: never }
      this.#waiting.get(id)?.(result)
      this.#waiting.delete(id)
    })
  }

  async start(): Promise<void> {
    await this.#call('Profiler.start')
  }

  /** Ends the profile, writes it to a file that browsers can open, and prints its largest parts. */
  async stop(name: string, answers: number): Promise<void> {
    const { profile } = await this.#call<{ profile: CpuProfile }>('Profiler.stop')
    mkdirSync(this.#folder, { recursive: true })
    const file = join(this.#folder, `${name}.cpuprofile`)
    writeFileSync(file, JSON.stringify(profile))
    console.log(`\nCPU profile of Wheelhouse: ${name} (${file})`)
    printProfile(profile, answers)
    this.#socket.close()
  }

  #call<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#calls
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }
}
