import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from 'wheelhouse-client'

const server = createServer(async (request, response) => {
  try {
    const delivery = { headers: request.headers, body: await text(request) }
    const event = await verifyWebhook(delivery, process.env.WEBHOOK_SECRET)
    // Store the event. Ignore it if you already have its id.
    console.log(event.type, event.id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
})
server.listen(process.env.PORT ?? 3000)
