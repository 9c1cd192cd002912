import { Postgres } from './postgres.ts'
import { Road } from './road.ts'
import { Server, type ServerOptions } from './servers.ts'

/** A PostgreSQL, servers, and the roads between them. */
export type Scene = {
  /** The one that takes writes: another, after a failover. */
  postgres: Postgres
  servers: Server[]
  roads: Road[]
  /** Where callers send to: the servers themselves, or what stands before them. */
  urls: string[]
  /** What a special scene has to undo before all is read back. */
  mend: () => Promise<void>
  stop: () => Promise<void>
}

export type SceneOptions = {
  serverCount?: number
  postgres?: Postgres
  settings?: Record<string, string>
  server?: Partial<ServerOptions>
}

/** Three servers, each on a road of its own. The last is never killed, so that its memory tells something. */
export async function makeScene(options: SceneOptions = {}): Promise<Scene> {
  const scene: Scene = {
    postgres: options.postgres ?? (await Postgres.start(options.settings)),
    servers: [],
    roads: [],
    urls: [],
    mend: async () => undefined,
    async stop() {
      await Promise.all(scene.servers.map((server) => server.stop()))
      await Promise.all(scene.roads.map((road) => road.close()))
      await scene.postgres.remove()
    },
  }
  for (let place = 0; place < (options.serverCount ?? 3); place++) {
    const road = await Road.open(() => scene.postgres.port)
    const { url, port } = scene.postgres
    const databaseUrl = url.replace(`:${port}/`, `:${road.port}/`)
    scene.roads.push(road)
    scene.servers.push(await Server.start({ databaseUrl, ...options.server }))
  }
  scene.urls = scene.servers.map((server) => server.url)
  return scene
}

/** Everything works again: what was stopped goes on, what was killed is started. */
export async function mend(scene: Scene): Promise<void> {
  const { postgres, servers, roads } = scene
  await scene.mend()
  for (const road of roads) road.mend()
  postgres.signal('SIGCONT')
  await postgres.start()
  for (const server of servers) await server.kill('SIGCONT')
  await Promise.all(servers.map((server) => server.start()))
}
