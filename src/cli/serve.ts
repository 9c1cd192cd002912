import type { Command } from 'commander'
import { loadConfig } from '../config.ts'

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the server until it gets SIGTERM or Ctrl-C')
    .addHelpText('after', '\nSettings come from the environment or a file .env; .env.example lists them all.')
    .action(async () => {
      const config = loadConfig()
      // Loaded only now: the web framework takes half a second that no other verb should wait for.
      const { runServer } = await import('./run-server.ts')
      await runServer(config)
    })
}
