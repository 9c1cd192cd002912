// Firefox by WebDriver BiDi, which it speaks itself: JSON messages over a WebSocket.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defer, type Lifetime, makeFolder } from '../../scenes/scene.ts'
import type { Driver } from './engine.ts'
import { start, untilLine } from './processes.ts'

export async function startFirefox(
  t: Lifetime,
  { isReducedMotion }: { isReducedMotion: boolean },
): Promise<Driver> {
  const profile = makeFolder(t)
  writeFileSync(join(profile, 'user.js'), preferences(isReducedMotion))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
  const child = start(t, '/usr/bin/firefox-esr', args, { HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' })
  const listening = /WebDriver BiDi listening on (ws:\S+)/
  const address = await untilLine(child, child.stderr as NodeJS.ReadableStream, listening)
  const send = await connect(t, `${address}/session`)
  await send('session.new', { capabilities: {} })
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' })
  return {
    navigate: async (url) =>
      void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    resize: async (viewport) => void (await send('browsingContext.setViewport', { context, viewport })),
    perform: async (actions) => void (await send('input.performActions', { context, actions })),
    call: async (source, json) => {
      const answer = await send<Called>('script.callFunction', {
        functionDeclaration: source,
        arguments: [{ type: 'string', value: json }],
        target: { context },
        awaitPromise: true,
        userActivation: true,
      })
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text)
      return answer.result.value
    },
  }
}

type Called =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } }
type Message = { id?: number; result?: unknown; error?: string; message?: string }

/** Returns a function that sends a command and waits for its result. */
async function connect(t: Lifetime, address: string) {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  defer(t, () => socket.close())
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, message } = JSON.parse(String(data)) as Message
    const asked = id === undefined ? undefined : waiting.get(id)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new Error(`${error}: ${message}`))
  })
  let last = 0
  return async <T>(method: string, params: object): Promise<T> => {
    const id = ++last
    const asked = Promise.withResolvers<unknown>()
    waiting.set(id, asked)
    socket.send(JSON.stringify({ id, method, params }))
    return (await asked.promise.finally(() => waiting.delete(id))) as T
  }
}

/** Every address but this machine's is behind a proxy that does not exist, so the browser can't call home. */
function preferences(isReducedMotion: boolean): string {
  const values = {
    'ui.prefersReducedMotion': isReducedMotion ? 1 : 0,
    // Input reaches frames of other sites only in the same process.
    'fission.autostart': false,
    'network.proxy.type': 1,
    'network.proxy.http': '127.0.0.1',
    'network.proxy.http_port': 1,
    'network.proxy.ssl': '127.0.0.1',
    'network.proxy.ssl_port': 1,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.enabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'media.volume_scale': '0.0',
  }
  return Object.entries(values)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('')
}
