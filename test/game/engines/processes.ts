// The processes of browsers and their drivers. Each ends with its test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { defer, type Lifetime } from '../../scenes/scene.ts'

/** Starts a program that is ended together with everything that it started, also if the test run is killed. */
export function start(t: Lifetime, file: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn('/usr/bin/setpriv', ['--pdeathsig', 'KILL', file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
    detached: true,
  })
  child.stdout?.resume()
  child.stderr?.setEncoding('utf8')
  const over = once(child, 'exit')
  defer(t, async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL')
    await over
  })
  return child
}

/** Waits for a line on a stream, and returns what the pattern's group found. */
export async function untilLine(
  child: ChildProcess,
  stream: NodeJS.ReadableStream,
  line: RegExp,
): Promise<string> {
  let output = ''
  const over = once(child, 'exit').then(() => Promise.reject(new Error(`it ended: ${output}`)))
  const found = new Promise<string>((resolve) => {
    stream.on('data', (text: Buffer | string) => {
      output += String(text)
      const match = line.exec(output)
      if (match !== null) resolve(match[1] as string)
    })
  })
  over.catch(() => undefined)
  return Promise.race([found, over])
}
