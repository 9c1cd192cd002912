import { createInterface } from 'node:readline/promises'
import { Mistake } from '../../mistake.ts'

/** Asks a person at a terminal to go on. A program has to say so beforehand, with `--yes`. */
export async function confirm(facts: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Mistake(`${facts} If that is right, repeat the command with --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${facts}\nGo on? (y/N) `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new Mistake('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
