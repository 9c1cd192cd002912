import type { Command } from 'commander'

/** The command line of merchants, for people who have the server: nothing has to be installed. */
export function addClientCommand(program: Command): void {
  program
    .command('client')
    .description(
      "merchants' commands, by the API and with a service token: the command line wheelhouse-client",
    )
    // The client reads the arguments itself, including --help.
    .helpOption(false)
    .allowUnknownOption()
    .argument('[arguments...]')
    .action(async () => {
      const { runCommand } = await import('../../packages/client/src/command-line/run-command.ts')
      process.exitCode = await runCommand(process.argv.slice(3), 'wheelhouse client')
    })
}
