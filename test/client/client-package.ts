// Packs the client as for publication, and installs it as a user would.
import { execFileSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeWebhookSecret, signWebhook } from '../../src/webhooks/sending/signature.ts'
import { type Lifetime, makeFolder, makeMerchant, makeServer, repository } from '../scenes/scene.ts'

export type PackedClient = { tarball: string; files: string[]; bytes: number }

/** Built from a copy, so that concurrent tests do not write the same files. */
export function packClient(t: Lifetime): PackedClient {
  const folder = makeFolder(t)
  const source = join(repository, 'packages', 'client')
  cpSync(source, folder, { recursive: true, filter: (path) => path !== join(source, 'dist') })
  // With the types of Node, for the command line. They are not packed.
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const path = `${join(repository, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`
  const output = execFileSync('npm', ['pack', '--json', '--silent'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  })
  const json = output.slice(output.search(/^[[{]/m))
  const [packed] = Object.values(JSON.parse(json) as Record<string, Packed>)
  if (packed === undefined) throw new Error(output)
  const files = packed.files.map((file) => file.path)
  return { tarball: join(folder, packed.filename), files, bytes: packed.size }
}

type Packed = { filename: string; size: number; files: { path: string }[] }

/** A project folder with the client installed, without network access. */
export function installClient(t: Lifetime, { tarball } = packClient(t)): string {
  const folder = makeFolder(t)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball]
  execFileSync('npm', install, { cwd: folder, encoding: 'utf8' })
  return folder
}

/** A running server and a signed webhook, as environment variables for a program that uses the client. */
export async function clientSettings(t: TestContext) {
  const server = await makeServer(t)
  const { token } = await makeMerchant(server.ctx.db)
  const secret = makeWebhookSecret()
  const body = JSON.stringify({ type: 'webhook.test' })
  const headers = signWebhook({ id: 'evt_1', sentAt: new Date(), body }, [secret])
  return { URL: server.url, TOKEN: token, SECRET: secret, WEBHOOK: JSON.stringify({ headers, body }) }
}
