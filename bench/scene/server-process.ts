import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { tracked } from './children.ts'

/** The process of a contestant's server, which is listening. */
type ServerProcess = { port: number; pid: number; stop: () => Promise<void> }

const startTimeoutMs = 180_000

export async function startServer(
  [command, ...args]: readonly [string, ...string[]],
  env: Record<string, string>,
): Promise<ServerProcess> {
  const port = await freePort()
  const child = tracked(
    spawn(command, args, {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...env },
      // The log is discarded, but it is written: logging is part of the server's work.
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  )
  let errors = ''
  child.once('error', (error) => (errors = error.message))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-4000)))
  const deadline = performance.now() + startTimeoutMs
  while (!(await listens(port))) {
    if (child.exitCode !== null || child.pid === undefined)
      throw new Error(`${[command, ...args].join(' ')} exited:\n${errors}`)
    if (performance.now() > deadline) throw new Error(`${[command, ...args].join(' ')} does not listen`)
    await sleep(20)
  }
  return { port, pid: child.pid as number, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await gone
  clearTimeout(killTimer)
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const answer = Promise.withResolvers<boolean>()
  socket.once('connect', () => answer.resolve(true))
  socket.once('error', () => answer.resolve(false))
  const isListening = await answer.promise
  socket.destroy()
  return isListening
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Processor time of a process in microseconds, over all threads. Undefined if there is no /proc. */
export function processMicros(pid: number): number | undefined {
  const stat = statOf(pid)
  return stat === undefined ? undefined : stat.ownMicros
}

/** Processor time of all children of a process, such as PostgreSQL's backends, including those that have ended. */
export function childrenMicros(parent: number): number | undefined {
  const stat = statOf(parent)
  if (stat === undefined) return undefined
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = pids.map((pid) => statOf(Number(pid))).filter((child) => child?.parent === parent)
  return children.reduce((sum, child) => sum + (child?.ownMicros ?? 0), stat.goneMicros)
}

function statOf(pid: number): { parent: number; ownMicros: number; goneMicros: number } | undefined {
  try {
    // The name in brackets may contain anything, so fields are counted from its end. A tick is 10 ms on every Linux.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const ticks = (from: number): number => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) * 10_000
    return { parent: fields[1] ?? 0, ownMicros: ticks(11), goneMicros: ticks(13) }
  } catch {
    // The process has just ended, or there is no /proc.
    return undefined
  }
}

export function parentOf(pid: number): number | undefined {
  return statOf(pid)?.parent
}

/** The resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  if (match === null) throw new Error(`the memory of process ${pid} is unknown`)
  return Number(match[1]) * 1024
}
