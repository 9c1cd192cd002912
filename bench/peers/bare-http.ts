// An upper bound: node:http alone. It parses the same requests and sends answers of the same shape, and does nothing
// else.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

// As long as a real token.
const token = 'x'.repeat(354)

createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (text += chunk))
  request.on('end', () => answer(request, response, JSON.parse(text) as Record<string, unknown>))
}).listen(Number(process.env.PORT), '127.0.0.1')

function answer(request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(
    JSON.stringify(
      request.url === '/api/player/increaseSpin'
        ? { playerId: body.playerId, spinCount: body.spinNumber }
        : { link: `http://127.0.0.1:8080/spinthewheel/?token=${token}`, token },
    ),
  )
}
