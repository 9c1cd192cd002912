import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Buildah } from './buildah.ts'

const suite = 'trixie'
const repository = join(import.meta.dirname, '..', '..')

/**
 * Makes the two base images of the Containerfile without a registry of images: Debian by mmdebstrap, and the same with
 * the Node and npm of this machine.
 */
export function makeBaseImages(buildah: Buildah): { buildBase: string; runBase: string } {
  const [runBase, buildBase] = ['localhost/debian', 'localhost/node']
  const tar = makeDebian()
  buildah.make(runBase, 'scratch', (container) => buildah.run('add', '--quiet', container, tar, '/'))
  buildah.make(buildBase, runBase, (container) => {
    const npm = dirname(dirname(realpathSync(process.env.npm_execpath ?? '/usr/bin/npm')))
    buildah.run('copy', '--quiet', container, realpathSync(process.execPath), '/usr/local/bin/node')
    buildah.run('copy', '--quiet', container, npm, '/usr/local/lib/node_modules/npm')
    const link = ['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm']
    buildah.run('run', '--isolation', 'chroot', container, '--', ...link)
  })
  return { buildBase, runBase }
}

/** Kept for the next run, since it takes a minute or two. */
export function makeDebian(): string {
  const tar = join(repository, 'node_modules', '.cache', `debian-${suite}-${process.arch}.tar`)
  if (existsSync(tar)) return tar
  console.log(`Making a base image of Debian ${suite} …`)
  mkdirSync(dirname(tar), { recursive: true })
  const unfinished = `${tar}.${process.pid}.tar`
  const leftOut = ['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  // Without an address, mmdebstrap takes Debian's own.
  execFileSync('mmdebstrap', ['--variant=minbase', '--quiet', ...leftOut, suite, unfinished], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  renameSync(unfinished, tar)
  return tar
}
