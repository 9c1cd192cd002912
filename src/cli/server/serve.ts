import cluster from 'node:cluster'
import type { Command } from 'commander'
import { loadConfig } from '../../config.ts'

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the server until it gets SIGTERM, SIGHUP or Ctrl-C')
    .addHelpText(
      'after',
      '\nSettings come from the environment or a file .env; .env.example lists all of them.',
    )
    .option(
      '--processes <number>',
      'number of processes that share the port and the load (default: PROCESSES, or 1)',
    )
    .action(async (options: { processes?: string }) => {
      const config = loadConfig(options.processes === undefined ? {} : { PROCESSES: options.processes })
      // Loaded only here: the web framework takes half a second to load, and no other command needs it.
      const { runServer } = await import('./run-server.ts')
      const { runWorker } = await import('./workers.ts')
      await (cluster.isPrimary ? runServer(config) : runWorker(config))
    })
}
