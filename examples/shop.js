// A small shop that gives a spin of the wheel for every 10 euros of a paid order. Node 20 or newer.
//
// 1. Let Wheelhouse send webhooks to this machine, start it, and keep the token that it prints:
//      export WEBHOOK_ALLOW_HTTP=on WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8
//      npm start
// 2. In another terminal, make a webhook with the token, and keep its secret:
//      export WHEELHOUSE_URL=http://127.0.0.1:8080 WHEELHOUSE_TOKEN=…
//      bin/wheelhouse client api POST webhooks url=http://127.0.0.1:3000/wheelhouse types:='["prize.won"]'
// 3. Install the client (docs/client.md) in the folder of this file, and start the shop:
//      WEBHOOK_SECRET=whsec_… node shop.js
// 4. Pay an order, and open the link that comes back:
//      curl -X POST http://127.0.0.1:3000/orders/4711/paid -d '{"customer":"alice","euros":30}'
// 5. See what was won, and hand it over at the till, with the playId from the list:
//      curl http://127.0.0.1:3000/prizes
//      curl -X POST http://127.0.0.1:3000/prizes/…/redeem
import { createServer } from 'node:http'
import { verifyWebhook, WebhookRejected, Wheelhouse, WheelhouseProblem } from 'wheelhouse-client'

const { WHEELHOUSE_URL = 'http://127.0.0.1:8080', WHEELHOUSE_TOKEN = '', WEBHOOK_SECRET = '' } = process.env
const wheelhouse = new Wheelhouse({ url: WHEELHOUSE_URL, token: WHEELHOUSE_TOKEN })

/**
 * Prizes that our customers have won, by play. A real shop keeps them in its database.
 * @type {Map<string, { playId: string, customer: string, label: string, state: string }>}
 */
const prizes = new Map()

/**
 * The order number is the idempotency key: however often this is called for an order, its spins are added once.
 * @param {string} order
 * @param {{ customer: string, euros: number }} paid
 */
async function orderPaid(order, { customer, euros }) {
  const spinNumber = Math.floor(euros / 10)
  if (spinNumber === 0) return { spins: 0 }
  const grant = { playerId: customer, spinNumber, idempotencyKey: `order-${order}` }
  const { spinCount } = await wheelhouse.grant(grant)
  const { link } = await wheelhouse.link({ playerId: customer })
  return { spins: spinCount, link }
}

/**
 * Wheelhouse sends an event at least once. A map by play takes the second one for the first.
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} body
 */
async function webhookArrived(headers, body) {
  const event = await verifyWebhook({ headers, body }, WEBHOOK_SECRET)
  if (event.type !== 'prize.won') return {}
  const { playId, playerId, label, kind } = event.data
  // Spins that were won are the player's already; there is nothing to hand over.
  if (kind !== 'spins' && !prizes.has(playId))
    prizes.set(playId, { playId, customer: playerId, label, state: 'won' })
  return {}
}

/**
 * Only the first redemption succeeds: a second one gets the problem `prize_settled`.
 * @param {string} playId
 */
async function redeem(playId) {
  const { state, label } = await wheelhouse.prizes.redeem(playId)
  const known = prizes.get(playId)
  if (known !== undefined) known.state = state
  return { playId, label, state }
}

/**
 * @param {string} method @param {string} path @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} body
 */
async function route(method, path, headers, body) {
  const [, folder, id = '', action] = path.split('/')
  if (method === 'POST' && folder === 'orders' && action === 'paid') return orderPaid(id, JSON.parse(body))
  if (method === 'POST' && folder === 'prizes' && action === 'redeem') return redeem(id)
  if (method === 'POST' && folder === 'wheelhouse') return webhookArrived(headers, body)
  if (method === 'GET' && folder === 'prizes') return { prizes: [...prizes.values()] }
  return undefined
}

/** @param {unknown} error */
function refusalOf(error) {
  if (error instanceof WebhookRejected) return { status: 401, answer: { error: error.reason } }
  if (error instanceof WheelhouseProblem) return { status: error.status, answer: { error: error.code } }
  if (error instanceof SyntaxError) return { status: 400, answer: { error: 'not JSON' } }
  // Wheelhouse can't be reached: the caller may ask again, and nothing is doubled.
  console.error(error)
  return { status: 503, answer: { error: 'try again' } }
}

/** @param {import('node:http').IncomingMessage} request */
async function answerTo(request) {
  try {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
    const answer = await route(request.method ?? '', request.url ?? '', request.headers, body)
    return answer === undefined ? { status: 404, answer: {} } : { status: 200, answer }
  } catch (error) {
    return refusalOf(error)
  }
}

const server = createServer((request, response) => {
  void answerTo(request).then(({ status, answer }) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer)),
  )
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log('The shop is open.'))
