import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { Registry } from '@prometheus-io/client'

/** Serves `/metrics` on a separate address, so that the public address cannot expose it by mistake. */
export async function listenForMetrics(
  collect: () => Promise<string>,
  address: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    collect().then(
      (text) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(address.port, address.host)
  await once(server, 'listening')
  return server
}
