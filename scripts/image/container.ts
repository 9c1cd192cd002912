import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImageConfig } from './buildah.ts'

type Options = {
  image: ImageConfig
  root: string
  data: string | undefined
  settings: Record<string, string>
}

/** A container with a read-only root file system, no capabilities, and the network of this machine. */
export class Container {
  readonly #id: string
  readonly #state: string
  readonly #child: ChildProcess
  output = ''

  constructor(folder: string, options: Options) {
    this.#state = join(folder, 'runc')
    const bundle = mkdtempSync(join(folder, 'bundle-'))
    this.#id = `wheelhouse-${process.pid}-${bundle.slice(-6)}`
    mkdirSync(this.#state, { recursive: true })
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(runtimeConfig(options)))
    this.#child = spawn('runc', ['--root', this.#state, 'run', '--bundle', bundle, this.#id], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text))
  }

  /** Runs a command in the container and returns its output. */
  exec(...command: string[]): string {
    return execFileSync('runc', ['--root', this.#state, 'exec', this.#id, ...command], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  }

  async exited(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'close')
    return this.#child.exitCode
  }

  /** Sends SIGTERM, like `docker stop`. Returns the milliseconds until the container has ended. */
  async stop(): Promise<number> {
    const started = performance.now()
    execFileSync('runc', ['--root', this.#state, 'kill', this.#id, 'TERM'])
    await this.exited()
    return Math.round(performance.now() - started)
  }

  kill(): void {
    if (this.#child.exitCode !== null) return
    execFileSync('runc', ['--root', this.#state, 'delete', '--force', this.#id])
  }
}

function runtimeConfig({ image, root, data, settings }: Options): object {
  const tmpfs = ['nosuid', 'noexec', 'nodev']
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid: image.uid, gid: image.gid },
      args: image.args,
      env: [...image.env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)],
      cwd: image.cwd,
      capabilities: {},
      noNewPrivileges: true,
    },
    root: { path: root, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
      { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: [...tmpfs, 'mode=1777'] },
      ...(data === undefined
        ? []
        : [{ destination: '/data', type: 'bind', source: data, options: ['rbind', 'rw'] }]),
    ],
    linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
  }
}
