import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { WheelhouseProblem, WheelhouseUnreachable } from '../errors.ts'
import { api } from './api.ts'
import { type Command, UsageError } from './command.ts'
import { events } from './events.ts'
import { listen } from './listen.ts'
import { note } from './output.ts'
import { grant, link, player } from './players.ts'
import { prizes } from './prizes.ts'
import { trigger } from './trigger.ts'

const commands: Record<string, Command> = { grant, link, player, prizes, events, api, listen, trigger }

/** Runs a command, and returns the exit code: 1 if it failed, 2 if it was called wrongly. */
export async function runCommand(args: readonly string[], program: string): Promise<number> {
  const [name = '--help', ...rest] = args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return runWithout(name, program)
  try {
    const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true })
    if (values.help === true) return show(usageOf(command, program))
    return (await command.run({ names: positionals, options: values })) ?? 0
  } catch (error) {
    note(`${program}: ${explain(error)}`)
    if (!isUsageError(error)) return 1
    note(`Usage: ${program} ${command.usage}`)
    return 2
  }
}

function runWithout(name: string, program: string): number {
  if (name === '--version') return show(version())
  if (name === '--help' || name === '-h' || name === 'help') return show(help(program))
  note(`${program}: there is no command "${name}". See ${program} --help.`)
  return 2
}

function show(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

function help(program: string): string {
  const lines = Object.values(commands).map(({ usage, summary }) => `  ${program} ${usage}\n      ${summary}`)
  return `Talks to a Wheelhouse server, with its address and a service token.

${lines.join('\n')}

The address is in WHEELHOUSE_URL or --server, the token in WHEELHOUSE_TOKEN.
Every command has --help; all have --json.`
}

function usageOf({ usage, summary, details }: Command, program: string): string {
  return `Usage: ${program} ${usage}\n\n${summary}${details === undefined ? '' : `\n\n${details}`}`
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** An expected error is a sentence. One that nobody expected is shown in full. */
function explain(error: unknown): string {
  if (error instanceof WheelhouseProblem) {
    const fields = error.errors.map(({ pointer, detail }) => `\n  ${pointer} ${detail}`)
    return `${error.message}${fields.join('')}`
  }
  if (error instanceof WheelhouseUnreachable || isUsageError(error)) return (error as Error).message
  return error instanceof Error ? String(error.stack) : String(error)
}

function isUsageError(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown }
  return error instanceof UsageError || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS_'))
}
