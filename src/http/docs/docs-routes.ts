import { hash } from 'node:crypto'
import fastifySwagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import { Refusal } from '../../refusals.ts'
import { errorsHtml } from './errors-page.ts'
import { guidesPage, imageAt, pageAt } from './markdown-page.ts'
import { completeDocument } from './openapi-document.ts'

/** Nothing is evaluated as a script, and inline scripts are allowed by hash: the console has the same origin. */
function docsPolicy(html = ''): string {
  const inline = [...html.matchAll(/<script[^>]*>([^]*?)<\/script>/g)]
    .filter(([, script]) => script !== '')
    .map(([, script = '']) => ` 'sha256-${hash('sha256', script, 'base64')}'`)
  return `default-src 'self'; script-src 'self'${inline.join('')}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; frame-ancestors 'none'`
}

const introduction = `With this API a merchant grants spins to players, creates game links, and manages wheels and prizes.

Send your service token as the whole value of the \`Authorization\` header, with no prefix. Every refusal is a problem
document (RFC 9457) with a stable \`code\`; see [all codes, with causes and fixes](/docs/errors). [API versions](/docs/versions)
says what may change, and the [changelog](/docs/changelog) what has changed. The [guides](/docs/guides) explain the rest.

Send an \`Idempotency-Key\` with each grant. If an answer is lost or has \`retryable: true\`, repeat the call with the same
key: the spins are added exactly once.`

/** The areas of the API, in the order of the reference. */
const tags = [
  {
    name: 'Merchant',
    description: "The two main operations for a merchant's server, with its service token.",
  },
  {
    name: 'Wheels',
    description: 'Wheels and code pools, with a service token that has the scope `manage`.',
  },
  { name: 'Campaigns', description: 'Several wheels at once, each with its own dates and spins.' },
  { name: 'Test mode', description: 'A test merchant, and its clock.' },
  {
    name: 'Events',
    description: 'The event log, with a service token that has the scope `events` or `manage`.',
  },
  {
    name: 'Webhooks',
    description: "Events, sent to a merchant's own systems as they happen.",
  },
  { name: 'Console', description: 'Operations of the console, for staff signed in at `/console`.' },
  { name: 'Players', description: 'Players, their ledger and their data.' },
  { name: 'Prizes', description: 'Prizes that were won: claim, redeem, cancel.' },
  { name: 'Plays', description: 'Plays and their proofs.' },
  { name: 'Reports', description: 'Activity by day and by prize.' },
  { name: 'Merchant settings', description: 'The merchant and its settings.' },
  { name: 'Links', description: 'Game links of a player, live and revoked.' },
  { name: 'Link lists', description: 'Game links for many players, made in the background.' },
  { name: 'Messages', description: 'Mail to players: what is sent, and what became of it.' },
  { name: 'Exports', description: 'Complete lists, streamed as CSV or NDJSON.' },
  { name: 'Tokens', description: "The merchant's own service tokens." },
  { name: 'Audit', description: 'The audit log, and recent requests.' },
  { name: 'Game', description: "Operations for the player's browser." },
  { name: 'Entry', description: "Operations for a visitor's browser, before there is a player." },
  { name: 'Wallet', description: 'Operations for the page on which players find their prizes.' },
]

/** Generates the OpenAPI document from the schemas of the routes that are registered after this call. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Wheelhouse',
        version: '1',
        description: introduction,
        contact: { name: 'The operator of this server', url: app.ctx.config.publicUrl },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: app.ctx.config.publicUrl }],
      tags,
      components: {
        securitySchemes: {
          serviceToken: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: '`<identifier>:<64 hexadecimal digits>`, without a prefix.',
          },
          staffSession: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-wheelhouse-session',
            description:
              'A console session. These requests name the merchant in the header `Wheelhouse-Merchant`, and changes must come from a page of this server.',
          },
        },
      },
    },
    transformObject: (made) =>
      'openapiObject' in made ? (completeDocument(made.openapiObject) as object) : made.swaggerObject,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `schema${index}`,
    },
  })
}

/** The API reference as a page. It loads nothing from other hosts; a browser test checks that. */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('Content-Security-Policy', docsPolicy())
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  for (const [path, page] of [
    ['/docs/errors', errorsHtml],
    ['/docs/guides', guidesPage],
  ] as const)
    app.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(page()),
    )
  // The package is a string of four megabytes, so it is loaded only when somebody opens the page.
  let reference: Promise<FastifyInstance> | undefined
  app.get('/docs', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs/'))
  app.get<{ Params: { '*': string } }>('/docs/*', { schema: { hide: true } }, async (request, reply) => {
    // Decoded, so that every spelling of an address finds its page.
    const path = `/docs/${request.params['*']}`
    if (/^\/docs\/[\w/-]*\w\/$/.test(path)) return reply.redirect(path.slice(0, -1), 308)
    const guide = pageAt(path)
    if (guide !== undefined) return reply.type('text/html; charset=utf-8').send(guide)
    const image = imageAt(path)
    if (image !== undefined) return reply.type('image/webp').send(image)
    const page = await (reference ??= makeReference())
    const { statusCode, headers, rawPayload, payload } = await page.inject({ url: request.url })
    if (statusCode !== 200) throw new Refusal('route_not_found')
    const type = headers['content-type'] ?? 'text/html'
    if (type.startsWith('text/html')) reply.header('Content-Security-Policy', docsPolicy(payload))
    return reply.type(type).send(rawPayload)
  })
}

async function makeReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = Fastify()
  await page.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      authentication: { preferredSecurityScheme: 'serviceToken' },
    },
  } as never)
  return page
}
