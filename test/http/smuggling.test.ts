// Requests that a proxy could read differently from us, each with a second request hidden in it. Over raw sockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { makeMerchant, makeServer, waitMsMax } from '../scenes/scene.ts'

test('an ambiguous request never executes a second, smuggled request', async (t) => {
  const server = await makeServer(t)
  const { token } = await makeMerchant(server.ctx.db)
  const head = `POST /api/player/increaseSpin HTTP/1.1\r\nHost: test\r\nAuthorization: ${token}\r\nContent-Type: application/json\r\n`
  const order = (playerId: string) => `{"playerId":"${playerId}","spinNumber":1}`
  const hidden = `${head}Content-Length: ${order('hidden').length}\r\nConnection: close\r\n\r\n${order('hidden')}`
  const chunked = `0\r\n\r\n${hidden}`
  const short = `${order('seen')}${hidden}`
  const lengths = `Content-Length: ${chunked.length}\r\nTransfer-Encoding: chunked\r\n`
  const cases: Record<string, string> = {
    'Content-Length before chunks': `${head}${lengths}\r\n${chunked}`,
    'chunks before Content-Length': `${head}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${chunked}`,
    'two Content-Length headers': `${head}Content-Length: 5\r\nContent-Length: ${short.length}\r\n\r\n${short}`,
    'two lengths in one header': `${head}Content-Length: 5, 6\r\n\r\n${short}`,
    'a length with a sign': `${head}Content-Length: +5\r\n\r\n${short}`,
    'a length in hexadecimal': `${head}Content-Length: 0x5\r\n\r\n${short}`,
    'a length with a space inside': `${head}Content-Length: 1 5\r\n\r\n${short}`,
    'a space before the colon': `${head}Transfer-Encoding : chunked\r\n\r\n${chunked}`,
    'an unknown coding': `${head}Transfer-Encoding: xchunked\r\n\r\n${chunked}`,
    'chunked as the first coding': `${head}Transfer-Encoding: chunked, identity\r\n\r\n${chunked}`,
    'two codings': `${head}Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n${lengths}\r\n${chunked}`,
    'a folded header': `${head}Transfer-Encoding:\r\n chunked\r\n${lengths}\r\n${chunked}`,
    'a bare line feed': `${head}X: y\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
    'a bare carriage return': `${head}X: y\rTransfer-Encoding: chunked\r\n${lengths}\r\n${chunked}`,
    'a NUL in a header': `${head}X: \0\r\n${lengths}\r\n${chunked}`,
    'an invalid chunk size': `${head}Transfer-Encoding: chunked\r\n\r\n5x\r\nhello\r\n${chunked}`,
    'a chunk size with a sign': `${head}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${chunked}`,
    'a chunk without its terminator': `${head}Transfer-Encoding: chunked\r\n\r\n1\r\naXX${chunked}`,
    'HTTP/1.0 with chunks': `${head.replace('1.1', '1.0')}${lengths}\r\n${chunked}`,
  }
  for (const [name, text] of Object.entries(cases)) {
    const received = await exchange(server.url, text)
    assert.match(received, /^HTTP\/1\.1 400 /, `${name}: ${received.slice(0, 200)}`)
    assert.equal(
      received.split('HTTP/1.1 ').length - 1,
      1,
      `${name}: one response, then the connection is closed`,
    )
  }
  const players = await server.ctx.db.query<{ id: string }>({
    name: '',
    text: 'select player_id as id from players',
  })
  assert.deepEqual(players, [], 'no smuggled request was executed')
  assert.match(await exchange(server.url, hidden), /^HTTP\/1\.1 200 /, 'the hidden one alone is fine')
})

/** Everything that the server sends until it closes the connection. */
async function exchange(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1')
  socket.setTimeout(waitMsMax, () => socket.destroy())
  let received = ''
  socket.on('data', (data: string) => (received += data)).on('error', () => socket.destroy())
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return received
}
