import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { makeDemoMerchant } from '../../src/cli/merchants/demo-merchant.ts'
import { Settings } from '../../src/http/answers/settings.ts'
import { markdownPage } from '../../src/http/docs/markdown-page.ts'
import { findMerchant } from '../../src/merchants/merchants.ts'
import { refusals } from '../../src/refusals.ts'
import { spin } from '../scenes/game-scene.ts'
import { launchBrowser } from '../scenes/pages.ts'
import {
  databaseUrl,
  defer,
  makeFolder,
  makeServer,
  post,
  repository,
  type Server,
  until,
  waitMsMax,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

test('the pages under /docs have every error code, the changelog and the promises of the API', async (t) => {
  const server = await makeServer(t)
  const errors = await (await fetch(`${server.url}/docs/errors`)).text()
  for (const code of Object.keys(refusals)) assert.ok(errors.includes(`id="${code}"`), code)
  for (const [path, file] of [
    ['/docs/changelog', 'CHANGELOG.md'],
    ['/docs/versions', 'docs/versions.md'],
  ] as const) {
    const response = await fetch(`${server.url}${path}`)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    const page = await response.text()
    const text = readFileSync(join(repository, file), 'utf8')
    const count = (pattern: RegExp, where: string) => where.match(pattern)?.length ?? 0
    assert.equal(count(/<li>/g, page), count(/^ *(-|\d+\.) /gm, text), file)
    assert.equal(count(/<h[123] /g, page), count(/^#/gm, text), file)
    assert.doesNotMatch(page, /\*\*|`|\]\(/)
  }
  for (const [spelling, path] of [
    ['/docs/versions/', '/docs/versions'],
    ['/docs/%76ersions', '/docs/%76ersions'],
    ['/docs/guides/', '/docs/guides'],
    ['/docs/errors/', '/docs/errors'],
    ['/docs/decisions/0039-every-list-takes-a-cursor/', '/docs/decisions/0039-every-list-takes-a-cursor'],
  ] as const) {
    const { status, url } = await fetch(`${server.url}${spelling}`)
    assert.deepEqual([status, url], [200, server.url + path])
  }
  const changelog = await (await fetch(`${server.url}/docs/changelog`)).text()
  assert.match(changelog, /<h2 id="0\.2\.0">0\.2\.0 - 2026-11-16<\/h2>/)
})

test('the guides are pages under /docs, and their links, sections and images are there too', async (t) => {
  const server = await makeServer(t)
  const read = async (path: string) => {
    const response = await fetch(server.url + path)
    assert.equal(response.status, 200, path)
    return response.headers.get('content-type')?.startsWith('text/html') ? response.text() : ''
  }
  const pagesRead = new Map<string, string>()
  const links: [from: string, to: string][] = [['/docs/guides', '/docs/guides']]
  for (const [from, to] of links) {
    const [path = '', id] = to.split('#')
    const place = path === '' ? from : path
    if (/^(https?:)/.test(to) || place === '/docs') continue
    if (!pagesRead.has(place)) {
      const page = await read(place)
      pagesRead.set(place, page)
      const found = page.matchAll(/(?:href|src)="([^"]+)"/g)
      links.push(...found.map(([, target = '']): [string, string] => [place, target]))
    }
    if (id !== undefined) assert.ok(pagesRead.get(place)?.includes(`id="${id}"`), `${from} → ${to}`)
  }
  const guides = globSync('docs/*.md', { cwd: repository }).map((file) => `/${file.replace('.md', '')}`)
  assert.deepEqual(
    guides.filter((guide) => !pagesRead.has(guide)),
    [],
  )
  for (const [path, page] of pagesRead) {
    const prose = page.replaceAll(/<(pre|code)>[^]*?<\/\1>/g, '')
    assert.doesNotMatch(prose, /\*\*|`|\]\(|^\||^#+ /m, path)
  }
})

test('every setting of a merchant is in the table of docs/manage.md', () => {
  const text = readFileSync(join(repository, 'docs', 'manage.md'), 'utf8')
  for (const name of Object.keys(Settings.properties)) assert.ok(text.includes(`\n| \`${name}\` `), name)
})

test('a Markdown text becomes a page without becoming code', () => {
  const page = markdownPage(
    '# A & B\n\nSee [x](https://a.example/?b="c") and\n[y](z.md), _not_ [z](embedding.md#style).\n\n' +
      '- **one** `<b>`\n  more\n- two\n  1. three\n\n| a | b |\n| --- | --- |\n| `c` | d |\n\n' +
      '```html\n- <b>\n```\n\n<script>alert(1)</script>\n',
    'docs/page.md',
  )
  const body = /<main>\n([^]*)\n<\/main>/.exec(page)?.[1]
  assert.equal(
    body,
    '<h1 id="a--b">A &amp; B</h1>\n' +
      '<p>See <a href="https://a.example/?b=&quot;c&quot;">x</a> and y, <em>not</em> <a href="/docs/embedding#style">z</a>.</p>\n' +
      '<ul>\n<li><strong>one</strong> <code>&lt;b&gt;</code> more</li>\n' +
      '<li><p>two</p>\n<ol>\n<li>three</li>\n</ol></li>\n</ul>\n' +
      '<div class="table"><table><thead><tr><th>a</th><th>b</th></tr></thead>' +
      '<tbody><tr><td><code>c</code></td><td>d</td></tr></tbody></table></div>\n' +
      '<pre><code>- &lt;b&gt;</code></pre>\n' +
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  )
})

const execute = promisify(execFile)

/** The commands in a document, each with the JSON that it should print. */
function examplesIn(file: string): { command: string; answer: string | undefined }[] {
  const text = readFileSync(join(repository, file), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```)?/g)].map(
    ([, command, answer]) => ({
      command: command as string,
      answer,
    }),
  )
}

const pages = [
  'README.md',
  'docs/integrate.md',
  'docs/operations.md',
  'docs/wheels.md',
  'docs/embedding.md',
  'docs/events.md',
  'docs/fairness.md',
  'docs/webhooks.md',
  'docs/wallet.md',
  'docs/manage.md',
  'docs/campaigns.md',
  'docs/free-spins.md',
  'docs/test-mode.md',
  'docs/console.md',
]
/** The tutorial is below; the others have tests of their own, and docs/failover.md is a fault of `npm run faults`. */
const pagesElsewhere = [
  'docs/tutorial.md',
  'docs/backup.md',
  'docs/client-command-line.md',
  'docs/failover.md',
  'docs/mail.md',
]

describe('every example in the documentation runs as written', () => {
  test('each page that has any is known', () => {
    const found = globSync('docs/*.md', { cwd: repository }).filter((file) => examplesIn(file).length > 0)
    assert.deepEqual(found.toSorted(), [...pages.slice(1), ...pagesElsewhere].toSorted())
  })

  // These start many commands.
  const long = /(operations|wheels|campaigns|test-mode|console|manage)\.md$/
  for (const file of pages) {
    test(file, long.test(file) ? onLanding : {}, async (t) => {
      const { server, variables, run } = await makeReader(t)
      const examples = examplesIn(file)
      assert.ok(examples.length > 0)
      // Its examples verify the plays that there are.
      if (file === 'docs/fairness.md') await playByRequests(server, variables.TOKEN)
      for (const example of examples) await run(example)
    })
  }

  test('docs/tutorial.md, with a player who opens the link and spins', onLanding, async (t) => {
    const { server, variables, run } = await makeReader(t)
    let hasPlayed = false
    for (const example of examplesIn('docs/tutorial.md')) {
      const output = await run(example)
      const answer = output.startsWith('{') ? (JSON.parse(output) as Record<string, any>) : {}
      if ('link' in answer) {
        await playOnce(t, server, answer.token as string)
        hasPlayed = true
      }
      // The page asks the reader to copy it from the answer.
      if ('prizes' in answer) variables.PLAY = answer.prizes[0].playId as string
    }
    assert.ok(hasPlayed)
    const [prize] = await prizesOfDemo(server, variables.TOKEN as string)
    assert.equal(prize?.state, 'redeemed')
  })
})

type Example = ReturnType<typeof examplesIn>[number]

/** A server after its first start, and a folder in which a reader of the documentation runs the examples. */
async function makeReader(t: TestContext) {
  const server = await makeServer(t, { env: { WEBHOOKS: 'off' } })
  const demo = await makeDemoMerchant(server.ctx.db, { now: new Date(), show: async () => undefined })
  const folder = makeFolder(t)
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(repository, 'bin', 'wheelhouse'), join(folder, 'bin', 'wheelhouse'))
  const variables: Record<string, string | undefined> = { TOKEN: demo?.token }
  const run = async ({ command, answer }: Example): Promise<string> => {
    const { stdout } = await execute(
      'bash',
      ['-euo', 'pipefail', '-c', command.replaceAll('http://127.0.0.1:8080', server.url)],
      {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: databaseUrl(server.target),
          WEBHOOKS: 'off',
          WHEELHOUSE_URL: server.url,
          WHEELHOUSE_TOKEN: variables.TOKEN,
          ...variables,
        },
      },
    )
    assert.doesNotMatch(stdout, /"code":"/, command)
    if (answer !== undefined) assertLike(JSON.parse(stdout), JSON.parse(answer))
    // The page asks the reader to copy it from the answer.
    variables.TEST_TOKEN ??= /"token":"(test-[^"]+)"/.exec(stdout)?.[1]
    return stdout
  }
  return { server, variables, run }
}

/** Opens a game link in a browser and spins once, on the wheel that the tutorial has published. */
async function playOnce(t: TestContext, server: Server, token: string): Promise<void> {
  const { merchantId } = await findMerchant(server.ctx.db, 'demo')
  await until(async () => (await server.ctx.wheels.current(merchantId)).version === 2)
  const browser = await launchBrowser()
  defer(t, () => browser.close())
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  page.setDefaultTimeout(waitMsMax)
  await page.goto(`${server.url}/spinthewheel/?token=${token}`)
  assert.equal(await spin(page), 'won')
}

async function playByRequests({ url }: Server, token: string | undefined): Promise<void> {
  const link = await post(`${url}/api/game/sso`, token, { playerId: 'ann', initialSpin: 1 })
  const opened = await post(`${url}/api/v1/game/session`, undefined, { token: link.body.token })
  const body = opened.body as Record<string, any>
  const played = await post(`${url}/api/v1/game/plays`, undefined, {
    session: body.session,
    playId: randomUUID(),
    playerSeed: randomBytes(32).toString('hex'),
    commitment: body.next.commitment,
    versionHash: body.wheel.hash,
  })
  assert.equal(played.status, 200)
}

async function prizesOfDemo(server: Server, token: string): Promise<{ state: string }[]> {
  const response = await fetch(`${server.url}/api/v1/prizes`, { headers: { authorization: token } })
  return ((await response.json()) as { prizes: { state: string }[] }).prizes
}

/** Equality, where … in the document matches anything. */
function assertLike(actual: unknown, shown: unknown, name = 'the answer'): void {
  if (typeof shown === 'string' && shown.includes('…'))
    assert.ok(String(actual).startsWith(shown.split('…')[0] ?? ''), `${name} is ${String(actual)}`)
  else if (typeof shown === 'object' && shown !== null) {
    assert.deepEqual(Object.keys(actual as object), Object.keys(shown))
    for (const [key, value] of Object.entries(shown))
      assertLike((actual as Record<string, unknown>)[key], value, key)
  } else assert.deepEqual(actual, shown)
}
