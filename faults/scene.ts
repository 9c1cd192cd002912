import { Postgres, type ScenePostgres } from './postgres.ts'
import { NetworkProxy } from './network-proxy.ts'
import { Server, type ServerOptions } from './servers.ts'

/** A PostgreSQL, servers, and the proxies between them. */
export type Scene = {
  /** The primary. After a failover this is the former standby. */
  postgres: ScenePostgres
  servers: Server[]
  proxies: NetworkProxy[]
  /** Addresses for clients: the servers, or the load balancer before them. */
  urls: string[]
  /** Undoes a special scene's fault before everything is read back. */
  repair: () => Promise<void>
  stop: () => Promise<void>
}

type SceneOptions = {
  serverCount?: number
  postgres?: ScenePostgres
  settings?: Record<string, string>
  server?: Partial<ServerOptions>
  /** Where each server writes its log. */
  logFileOf?: () => string
}

/** Three servers, each with its own proxy. The last is never killed, so its memory use is that of the whole run. */
export async function makeScene(options: SceneOptions = {}): Promise<Scene> {
  const scene: Scene = {
    postgres: options.postgres ?? (await Postgres.start(options.settings)),
    servers: [],
    proxies: [],
    urls: [],
    repair: async () => undefined,
    async stop() {
      await Promise.all(scene.servers.map((server) => server.stop()))
      await Promise.all(scene.proxies.map((proxy) => proxy.close()))
      await scene.postgres.remove()
    },
  }
  for (let place = 0; place < (options.serverCount ?? 3); place++) {
    const proxy = await NetworkProxy.open(() => scene.postgres.port)
    const { url, port } = scene.postgres
    const databaseUrl = url.replace(`:${port}/`, `:${proxy.port}/`)
    scene.proxies.push(proxy)
    const log = options.logFileOf === undefined ? {} : { logFile: options.logFileOf() }
    scene.servers.push(await Server.start({ databaseUrl, ...options.server, ...log }))
  }
  scene.urls = scene.servers.map((server) => server.url)
  return scene
}

/** Resumes stopped processes and starts killed ones, so that everything works again. */
export async function repair(scene: Scene): Promise<void> {
  const { postgres, servers, proxies } = scene
  await scene.repair()
  for (const proxy of proxies) proxy.repair()
  postgres.signal('SIGCONT')
  await postgres.start()
  for (const server of servers) await server.kill('SIGCONT')
  await Promise.all(servers.map((server) => server.start()))
}
