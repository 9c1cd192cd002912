import type { Command } from 'commander'
import { loadConfig, localUrl } from '../../config.ts'
import { databaseDeadlines } from '../../limits.ts'
import { Mistake } from '../../mistake.ts'

export function addHealthCommand(program: Command): void {
  program
    .command('health')
    .description('ask the server on this machine whether it is ready (exit code 1 if it is not)')
    .addHelpText('after', '\nIt asks /readyz at HOST and PORT. Containers use it as their health check.')
    .action(async () => {
      const url = `${localUrl(loadConfig())}/readyz`
      const { isReady, status, detail } = await askStatus(url)
      if (!isReady)
        throw new Mistake(
          `The server at ${url} is not ready: ${status}.${detail === undefined ? '' : ` ${detail}`}`,
        )
      process.stdout.write(`${status}\n`)
    })
}

type Health = { isReady: boolean; status: string; detail: string | undefined }

async function askStatus(url: string): Promise<Health> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(databaseDeadlines.connectMs) })
    const { status, detail } = (await response.json()) as { status: string; detail?: string }
    return { isReady: response.ok, status, detail }
  } catch (error) {
    const { cause, message } = error as Error
    throw new Mistake(`No server answers at ${url}: ${cause instanceof Error ? cause.message : message}.`, {
      cause: error,
    })
  }
}
