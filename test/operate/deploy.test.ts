// compose.yaml, the Kubernetes manifests and the systemd unit agree with the server and with each other. `npm run
// test:deploy` checks them against the schemas of their own projects.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { parseConfig } from '../../src/config.ts'
import { listSettings } from '../../src/settings/settings.ts'
import { makeCertificate } from '../scenes/certificates.ts'
import { makeFolder, makeServer, node, repository, until } from '../scenes/scene.ts'

const read = (path: string): string => readFileSync(join(repository, path), 'utf8')
const readYaml = (path: string): any => parse(read(path))

const folder = 'deploy/kubernetes'
const kustomizations = ['base', 'embedded', 'external-database'].map((name) =>
  readYaml(`${folder}/${name}/kustomization.yaml`),
)
const manifests = globSync(`${folder}/*/*.yaml`, { cwd: repository })
  .filter((path) => !path.endsWith('kustomization.yaml'))
  .map(readYaml)
const serviceManifest = manifests.find(({ kind }) => kind === 'Service')
const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
const containerOf = (workload: any) => workload.spec.template.spec.containers[0]

const unit = read('deploy/systemd/wheelhouse.service')
const compose = readYaml('compose.yaml')
const [, uid] = /^USER (\d+):\1$/m.exec(read('Containerfile')) ?? []

/** The settings of each way to run Wheelhouse, as it sets them. */
const environments: Record<string, Record<string, string>> = {
  compose: compose.services.wheelhouse.environment,
  image: pairs(/^ENV ([^]*?)\n(?!  )/m.exec(read('Containerfile'))?.[1] ?? ''),
  embedded: literals(kustomizations[0], kustomizations[1]),
  'external-database': literals(kustomizations[0], kustomizations[2]),
  systemd: pairs(/^Environment=(.*)$/m.exec(unit)?.[1] ?? ''),
}

test('every setting of the kits is one that the server knows and accepts', () => {
  const known = listSettings().map(({ name }) => name)
  const others = new Set(['PATH', 'NODE_COMPILE_CACHE'])
  for (const [kit, environment] of Object.entries(environments)) {
    const names = Object.keys(environment).filter((name) => !others.has(name))
    assert.ok(names.length > 0, kit)
    for (const name of names) assert.ok(known.includes(name), `${kit}: ${name}`)
    parseConfig(Object.fromEntries(names.map((name) => [name, String(environment[name])])))
  }
})

test('the image can be built behind the authority of a company, which only the build trusts', async (t) => {
  const text = read('Containerfile').replaceAll('\\\n', '')
  const stages = text.split(/^FROM /m).slice(1)
  const online = stages.filter((stage) => /apt-get update|npm ci/.test(stage))
  assert.equal(online.length, 2)
  for (const stage of online)
    assert.match(stage, /^ARG CA_CERTIFICATES$[^]*^RUN if \[ -n "\$CA_CERTIFICATES" \]/m)
  assert.match(online[1] ?? '', /rm -f \/etc\/ssl\/company-ca\.pem \/etc\/apt\/apt\.conf\.d\/99company-ca/)

  // The commands themselves, with a request in the place of apt and npm, and another place for the files.
  const day = 86_400_000
  const company = makeCertificate('localhost', {
    from: new Date(Date.now() - day),
    until: new Date(Date.now() + day),
  })
  const registry = createServer(company, (_, answer) => answer.end('package'))
  await once(registry.listen(0, '127.0.0.1'), 'listening')
  t.after(() => registry.close())
  const { port } = registry.address() as AddressInfo
  const etc = makeFolder(t)
  const [prepare = '', install = ''] = [...(online[0] ?? '').matchAll(/^RUN (if .*?fi) +&&/gm)].map(
    ([, run]) => run,
  )
  const request = `${node} -e 'fetch("https://localhost:${port}").then(() => console.log("trusted"), (error) => console.log(error.cause.code))'`
  const build = async (certificates: string) => {
    const script = `${prepare}; ${install}; ${request}`
      .replaceAll('/etc/ssl', etc)
      .replaceAll('/etc/apt/apt.conf.d', etc)
    const env = { PATH: process.env.PATH, CA_CERTIFICATES: certificates }
    return (await promisify(execFile)('sh', ['-euc', script], { env })).stdout.trim()
  }
  assert.equal(await build(''), 'DEPTH_ZERO_SELF_SIGNED_CERT')
  assert.deepEqual(readdirSync(etc), [])
  assert.equal(await build(company.cert), 'trusted')
  assert.equal(
    readFileSync(join(etc, '99company-ca'), 'utf8'),
    `Acquire::https::CAInfo "${etc}/company-ca.pem";\n`,
  )
})

test('a pod gets enough time to stop: the delay, the grace period, and some seconds for the database', () => {
  for (const workload of workloads) {
    const kit = workload.kind === 'Deployment' ? 'external-database' : 'embedded'
    const { stopDelaySeconds, stopGraceSeconds } = parseConfig(environments[kit] ?? {})
    const needed = stopDelaySeconds + 1.5 * stopGraceSeconds + 5
    assert.ok(workload.spec.template.spec.terminationGracePeriodSeconds >= needed, workload.kind)
  }
})

test('the probes ask paths that answer on the port of the server', async (t) => {
  const server = await makeServer(t)
  for (const workload of workloads) {
    const container = containerOf(workload)
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      const { path, port } = container[probe].httpGet
      let status = 0
      // A busy disk is a reason for 503.
      await until(async () => (status = (await fetch(`${server.url}${path}`)).status) !== 503)
      assert.equal(status, 200, `${workload.kind} ${probe}`)
      assert.equal(portOf(container, port), Number(environments.image?.PORT))
    }
  }
})

test('pods run as the user of the image, without privileges, on a read-only file system', () => {
  assert.equal(workloads.length, 2)
  for (const workload of workloads) {
    const pod = workload.spec.template.spec
    assert.partialDeepStrictEqual(pod.securityContext, { runAsNonRoot: true, runAsUser: Number(uid) })
    assert.equal(pod.automountServiceAccountToken, false)
    assert.deepEqual(containerOf(workload).securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  }
})

test('selectors find the pods, and ports have the same names everywhere', () => {
  for (const workload of workloads) {
    const { labels } = workload.spec.template.metadata
    const selectors = manifests.flatMap(({ spec }) =>
      [spec?.selector?.matchLabels, spec?.podSelector?.matchLabels].filter((one) => one !== undefined),
    )
    for (const selector of [serviceManifest.spec.selector, ...selectors])
      assert.partialDeepStrictEqual(labels, selector)
    for (const { name, targetPort } of serviceManifest.spec.ports) {
      assert.equal(name, targetPort)
      assert.ok(portOf(containerOf(workload), targetPort) !== undefined)
    }
  }
  const { endpoints } = manifests.find(({ kind }) => kind === 'ServiceMonitor').spec
  assert.ok(serviceManifest.spec.ports.some(({ name }: { name: string }) => name === endpoints[0].port))
  assert.equal(
    environments.embedded?.METRICS_ADDRESS,
    `0.0.0.0:${portOf(containerOf(workloads[0]), 'metrics')}`,
  )
})

test('systemd lets the server stop PostgreSQL, and see a PostgreSQL that a command has started', () => {
  assert.match(unit, /^KillMode=mixed$/m)
  // With these, a server took the running PostgreSQL of a command for a dead one, and started a second on the same
  // data.
  assert.doesNotMatch(unit, /^Private(?:Users|IPC|PIDs)=yes/m)
  assert.match(unit, /^StateDirectory=wheelhouse$/m)
  assert.equal(environments.systemd?.DATA_DIR, '/var/lib/wheelhouse')
})

function portOf(container: any, name: string): number | undefined {
  return container.ports.find((port: { name: string }) => port.name === name)?.containerPort
}

/** `A=1 B=2`, on one line or several. */
function pairs(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]))
}

function literals(...kustomization: any[]): Record<string, string> {
  const lines = kustomization.flatMap(({ configMapGenerator = [] }) =>
    configMapGenerator.flatMap((generator: { literals: string[] }) => generator.literals),
  )
  return pairs(lines.join('\n'))
}
