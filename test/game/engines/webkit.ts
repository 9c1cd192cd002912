// WebKitGTK's small browser by its WebDriver: HTTP requests. It needs a display, so it gets one of its own.
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defer, freePort, type Lifetime, makeFolder } from '../../scenes/scene.ts'
import type { Driver, Size } from './engine.ts'
import { start, untilLine } from './processes.ts'
import { untilTrue } from './waiting.ts'

export async function startWebKit(
  t: Lifetime,
  { isReducedMotion }: { isReducedMotion: boolean },
): Promise<Driver> {
  const home = makeFolder(t)
  mkdirSync(join(home, 'gtk-3.0'))
  // WebKitGTK takes the player's preference from the desktop's settings.
  writeFileSync(
    join(home, 'gtk-3.0', 'settings.ini'),
    `[Settings]\ngtk-enable-animations=${isReducedMotion ? 0 : 1}\n`,
  )
  const send = await startSession(t, home, await startDisplay(t))
  const call = async (source: string, json: string) => {
    const script = `const [json, done] = arguments; (${source})(json).then((value) => done({ value }), (error) => done({ error: String(error) }))`
    const answer = await send<{ value: string; error?: string }>('POST', '/execute/async', {
      script,
      args: [json],
    })
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.value
  }
  const innerSize = async () =>
    JSON.parse(
      await call('async () => JSON.stringify({ width: innerWidth, height: innerHeight })', ''),
    ) as Size
  return {
    call,
    navigate: async (url) => void (await send('POST', '/url', { url })),
    perform: async (actions) => void (await send('POST', '/actions', { actions })),
    // The window has a bar, whose height is found by trying. It can't be as narrow as a phone.
    resize: async (size) => {
      const isReached = async () => {
        const inner = await innerSize()
        if (inner.width === size.width && inner.height === size.height) return true
        const outer = await send<Size>('GET', '/window/rect')
        const width = size.width + outer.width - inner.width
        const height = size.height + outer.height - inner.height
        await send('POST', '/window/rect', { x: 0, y: 0, width, height })
        return false
      }
      await untilTrue(
        isReached,
        async () => `${JSON.stringify(size)}, not ${JSON.stringify(await innerSize())}`,
      )
    },
  }
}

async function startDisplay(t: Lifetime): Promise<string> {
  const args = ['-displayfd', '3', '-screen', '0', '4000x2400x24', '-nolisten', 'tcp']
  const child = start(t, '/usr/bin/Xvfb', args)
  return `:${await untilLine(child, child.stdio[3] as NodeJS.ReadableStream, /^(\d+)\n/)}`
}

type Send = <T>(method: string, path: string, body?: object) => Promise<T>

async function startSession(t: Lifetime, home: string, display: string): Promise<Send> {
  const port = await freePort()
  const driver = start(t, '/usr/bin/WebKitWebDriver', [`--port=${port}`], {
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_RUNTIME_DIR: home,
    DISPLAY: display,
    GDK_BACKEND: 'x11',
    LANG: 'C.UTF-8',
    // No bus for accessibility, and no graphics card.
    NO_AT_BRIDGE: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  })
  driver.stderr?.resume()
  const url = `http://127.0.0.1:${port}/session`
  const request: Send = async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  const binary = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').toSorted().at(-1)
  const options = { binary, args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options, timeouts: { script: 60_000 } } }
  const { sessionId } = await untilTrue(
    async () => request<{ sessionId: string }>('POST', '', { capabilities }).catch(isNotListening),
    async () => 'the driver',
  )
  defer(t, () => request('DELETE', `/${sessionId}`).catch(() => undefined))
  return (method, path, body) => request(method, `/${sessionId}${path}`, body)
}

/** The driver says nowhere that it listens. */
function isNotListening(error: unknown): false {
  if (error instanceof TypeError) return false
  throw error
}
