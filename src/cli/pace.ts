import type { Command } from 'commander'
import { type PaceStatement, paceStatement } from '../audit/pace-statement.ts'
import { timeOf } from '../test-clock.ts'
import { SigningKeys } from '../crypto/signing-keys.ts'
import { findMerchant, type Merchant } from '../merchants/merchants.ts'
import { paceReports } from '../plays/pace-report.ts'
import { PublishedWheels } from '../wheels/published-wheels.ts'
import type { Wheel } from '../wheels/wheel-types.ts'
import { findWheel } from '../wheels/wheels.ts'
import { parseWholeNumber } from './durations.ts'
import { type JsonOption, print, table, withDatabase } from './output.ts'

export function addPaceCommands(program: Command): void {
  const pace = program.command('pace').description('runs of paced prizes and budgets')

  pace
    .command('list <merchant> <wheel>')
    .description(
      'list runs: units given, returned and left, by whole days while a run lasts; what was released, after its end',
    )
    .option('--json', 'print JSON')
    .action(async (merchant: string, slug: string, options: JsonOption) => {
      const reports = await withWheel(merchant, slug, paceReports)
      const rows = reports.map(
        ({ points: _points, commitment: _commitment, version: _version, ...row }) => row,
      )
      print(reports, options, table(rows, 'This wheel has no paced prizes.'))
    })

  pace
    .command('certificate <merchant> <wheel> <prize>')
    .description(
      'print a statement about a run, such as rules for promotions ask for; "*" is the budget (exit code 2 if a check fails)',
    )
    .option('--run <number>', 'which run; the newest by default', parseWholeNumber(1, 2 ** 31 - 1))
    .option('--json', 'print JSON')
    .action(
      async (slug: string, wheelSlug: string, prizeId: string, options: JsonOption & { run?: number }) => {
        const which = { prizeId, run: options.run }
        const stated = await withWheel(slug, wheelSlug, (sources, wheel, merchant) =>
          paceStatement(sources, { merchant, wheel }, which),
        )
        print(stated, options, statementText(stated))
        if (stated.checks.some(({ holds }) => !holds)) process.exitCode = 2
      },
    )
}

function statementText(stated: PaceStatement): string {
  const { isBudget, seal, checks } = stated
  const amount = (units: number | null) =>
    units === null ? 'known after the end' : isBudget ? (units / 100).toFixed(2) : String(units)
  const lines: [string, string][] = [
    ['Merchant', `${stated.merchantName} (${stated.merchant})`],
    ['Wheel', stated.wheel],
    [isBudget ? 'Budget' : 'Prize', isBudget ? 'of the wheel' : `${stated.prizeId} (${stated.label ?? ''})`],
    ['Run', `${stated.run}, ${stated.state}`],
    ['Published', `${stated.publishedAt}, version ${stated.versionHash}`],
    ['From, until', `${stated.startsAt}, ${stated.endsAt}`],
    ...(stated.endedAt === null ? [] : ([['Ended early', stated.endedAt]] as [string, string][])),
    ['Units', amount(stated.units)],
    ['Released', amount(stated.released)],
    ...(stated.countedUntil === null ? [] : ([['Counted until', stated.countedUntil]] as [string, string][])),
    ['Given', amount(stated.awards)],
    ['Returned', amount(stated.returned)],
    ['Left', amount(stated.left)],
    ['Commitment', stated.commitment],
    ['Key', stated.key ?? 'revealed a minute after the end'],
    ['Last hash', stated.head ?? 'revealed a minute after the end'],
    ['Newest seal', seal === null ? 'none' : `${seal.number}, made ${seal.sealedAt}, ${seal.hash}`],
    ['Stated', stated.statedAt],
  ]
  const width = Math.max(...lines.map(([name]) => name.length)) + 2
  return [
    'Statement about a run of a paced prize',
    '',
    ...lines.map(([name, value]) => `${name.padEnd(width)}${value}`),
    '',
    ...stated.sentences.flatMap((sentence) => wrapped(sentence, 118)),
    '',
    ...(checks.length === 0 ? ['The run has not ended, so it could not be checked yet.'] : ['Checked now:']),
    ...checks.map(({ says, holds }) => `${holds ? 'TRUE ' : 'FALSE'}  ${says}`),
    '',
    'To verify it, on any computer but for the last line:',
    ...stated.commands.map((command) => `  ${command}`),
  ].join('\n')
}

function wrapped(text: string, columns: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + 1 + word.length > columns) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

type Sources = Parameters<typeof paceStatement>[0]

async function withWheel<T>(
  merchantSlug: string,
  slug: string,
  work: (sources: Sources, wheel: Wheel, merchant: Merchant) => Promise<T>,
): Promise<T> {
  return withDatabase(async (db, config) => {
    const merchant = await findMerchant(db, merchantSlug)
    const sources = {
      db,
      config,
      seedKeys: new SigningKeys(db, 'seeds'),
      wheels: new PublishedWheels(db),
      now: timeOf(merchant, new Date()),
    }
    return work(sources, await findWheel(db, merchant.merchantId, slug), merchant)
  })
}
