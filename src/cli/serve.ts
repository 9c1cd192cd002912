import cluster from 'node:cluster'
import type { Command } from 'commander'
import { loadConfig } from '../config.ts'

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the server until it gets SIGTERM or Ctrl-C')
    .addHelpText('after', '\nSettings come from the environment or a file .env; .env.example lists them all.')
    .option(
      '--processes <number>',
      'share the work and the port between so many processes (default: PROCESSES, or 1)',
    )
    .action(async (options: { processes?: string }) => {
      const config = loadConfig(options.processes === undefined ? {} : { PROCESSES: options.processes })
      // Loaded only now: the web framework takes half a second that no other verb should wait for.
      const { runServer } = await import('./run-server.ts')
      const { runWorker } = await import('./workers.ts')
      await (cluster.isPrimary ? runServer(config) : runWorker(config))
    })
}
