import type { Command } from 'commander'

/**
 * Commands of the client package, which need only the address of a server and a token. Merchants run them as
 * `npx wheelhouse-client`; here they save the installation to people who have the server.
 */
const summaries = {
  listen: 'send events to a receiver on this machine, signed like webhooks; uses the API, not the database',
  trigger: 'send a sample event to a receiver on this machine, or print it',
}

export function addClientCommand(name: keyof typeof summaries): (program: Command) => void {
  return (program) => {
    program
      .command(name)
      .description(summaries[name])
      // The client reads the arguments itself, including --help.
      .helpOption(false)
      .allowUnknownOption()
      .argument('[arguments...]')
      .action(async () => {
        const { runCommand } = await import('../../packages/client/src/command-line/run-command.ts')
        process.exitCode = await runCommand(process.argv.slice(2), 'wheelhouse')
      })
  }
}
