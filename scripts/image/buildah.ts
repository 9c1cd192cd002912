import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

export type ImageConfig = {
  args: string[]
  env: string[]
  uid: number
  gid: number
  cwd: string
  healthCheck: string[]
}

/** Builds and opens images in a folder of its own, so that images of the machine are neither used nor changed. */
export class Buildah {
  readonly #options: string[]

  constructor(folder: string) {
    const options = (driver: string) => [
      `--root=${join(folder, 'store')}`,
      `--runroot=${join(folder, 'run')}`,
      `--storage-driver=${driver}`,
    ]
    // vfs copies all files for each layer, but works everywhere, also inside a container.
    const canOverlay = spawnSync('buildah', [...options('overlay'), 'info']).status === 0
    this.#options = options(canOverlay ? 'overlay' : 'vfs')
  }

  run(...args: string[]): string {
    return execFileSync('buildah', [...this.#options, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024,
    }).trim()
  }

  /** Runs a command, and shows its output. */
  show(...args: string[]): void {
    execFileSync('buildah', [...this.#options, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
  }

  /** Makes an image from another one, or from nothing. */
  make(image: string, from: string, change: (container: string) => void): void {
    const container = this.run('from', '--pull-never', from)
    change(container)
    this.run('commit', '--quiet', '--rm', container, image)
  }

  config(image: string): ImageConfig {
    const { OCIv1, Docker } = JSON.parse(this.run('inspect', '--type', 'image', image))
    const [uid, gid] = OCIv1.config.User.split(':').map(Number)
    return {
      args: [...OCIv1.config.Entrypoint, ...OCIv1.config.Cmd],
      env: OCIv1.config.Env,
      uid,
      gid,
      cwd: OCIv1.config.WorkingDir,
      healthCheck: Docker.config.Healthcheck.Test.slice(1),
    }
  }

  /** The size of an image in MB, as `buildah images` reports it. */
  megabytes(image: string): number {
    const [{ size }] = JSON.parse(this.run('images', '--json', image)) as [{ size: string }]
    return Math.round(Number.parseFloat(size) * (size.endsWith('GB') ? 1000 : 1))
  }

  /** The folder with the files of an image. */
  mount(image: string): string {
    return this.run('mount', this.run('from', '--pull-never', image))
  }

  close(): void {
    this.run('rm', '--all')
  }
}
