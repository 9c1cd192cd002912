import type { Command } from 'commander'
import { readNewestSeals } from '../audit/ledger-seals.ts'
import { SigningKeys } from '../crypto/signing-keys.ts'
import { findMerchant } from '../merchants/merchants.ts'
import { type PaceCertificate, paceCertificate, paceReports } from '../plays/pace-report.ts'
import { PublishedWheels } from '../wheels/published-wheels.ts'
import { findWheel } from '../wheels/wheels.ts'
import { parseWholeNumber } from './durations.ts'
import { type JsonOption, print, table, withDatabase } from './output.ts'

export function addPaceCommands(program: Command): void {
  const pace = program.command('pace').description('runs of paced prizes and budgets')

  pace
    .command('list <merchant> <wheel>')
    .description('list runs: units released, given, returned and left')
    .option('--json', 'print JSON')
    .action(async (merchant: string, slug: string, options: JsonOption) => {
      const reports = await withWheel(merchant, slug, (sources, wheel) => paceReports(sources, wheel))
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
      async (merchant: string, slug: string, prizeId: string, options: JsonOption & { run?: number }) => {
        const certificate = await withWheel(merchant, slug, async (sources, wheel) => {
          const [seal] = await readNewestSeals(sources.db, [wheel.merchantId])
          const made = await paceCertificate(sources, wheel, { prizeId, run: options.run })
          return {
            merchant,
            ...made,
            seal: seal === undefined ? null : { number: seal.sealNo, hash: seal.hash },
          }
        })
        print(certificate, options, certificateText(certificate))
        if (certificate.checks.some(({ holds }) => !holds)) process.exitCode = 2
      },
    )
}

type Stated = PaceCertificate & { merchant: string; seal: { number: number; hash: string } | null }

function certificateText(stated: Stated): string {
  const { isBudget, seal, checks } = stated
  const amount = (units: number | null) =>
    units === null ? 'known after the end' : isBudget ? (units / 100).toFixed(2) : String(units)
  const lines: [string, string][] = [
    ['Merchant', stated.merchant],
    ['Wheel', stated.wheel],
    [isBudget ? 'Budget' : 'Prize', isBudget ? 'of the wheel' : `${stated.prizeId} (${stated.label ?? ''})`],
    ['Run', `${stated.run}, ${stated.state}`],
    ['Published', `${stated.publishedAt}, version ${stated.versionHash}`],
    ['From, until', `${stated.startsAt}, ${stated.endsAt}`],
    ...(stated.endedAt === null ? [] : ([['Ended early', stated.endedAt]] as [string, string][])),
    ['Units', amount(stated.units)],
    ['Released', amount(stated.released)],
    ['Given', amount(stated.awards)],
    ['Returned', amount(stated.returned)],
    ['Left', amount(stated.left)],
    ['Commitment', stated.commitment],
    ['Key', stated.key ?? 'revealed a minute after the end'],
    ['Last hash', stated.head ?? 'revealed a minute after the end'],
    ['Newest seal', seal === null ? 'none' : `${seal.number}, ${seal.hash}`],
  ]
  const width = Math.max(...lines.map(([name]) => name.length)) + 2
  return [
    'Statement about a run of a paced prize',
    '',
    ...lines.map(([name, value]) => `${name.padEnd(width)}${value}`),
    '',
    ...methodOf(stated),
    '',
    ...(checks.length === 0 ? ['The run has not ended, so it could not be checked yet.'] : ['Checked now:']),
    ...checks.map(({ says, holds }) => `${holds ? 'TRUE ' : 'FALSE'}  ${says}`),
    '',
    'To verify it elsewhere, on any computer, without this server’s database:',
    `  wheelhouse plays export ${stated.merchant} > plays.ndjson`,
    '  wheelhouse verify plays.ndjson',
    `  curl https://<server>/api/v1/game/runs/${stated.commitment}`,
  ].join('\n')
}

function methodOf({ state, units, released }: Stated): string[] {
  const available =
    state === 'running'
      ? 'Units are made available'
      : released === units
        ? 'All units were made available'
        : 'The run ended early, and not all units were made available. Those that were became available'
  return [
    'Winners are drawn by a computer process whose results can be verified: each by HMAC-SHA256 over a secret of the',
    'server, committed before the play, and a random number of the player (CAP code 8.24).',
    available,
    'at random moments, fixed before the run by the commitment above, each in an equal part of the time (CAP code 8.25).',
    'This statement is made by the program that ran the promotion. Where a rule asks for an independent audit, give the',
    'auditor the export: docs/fairness.md is enough to check it with a program of their own.',
  ]
}

type Sources = Parameters<typeof paceReports>[0]

async function withWheel<T>(
  merchant: string,
  slug: string,
  work: (sources: Sources, wheel: Parameters<typeof paceReports>[1]) => Promise<T>,
): Promise<T> {
  return withDatabase(async (db) => {
    const { merchantId } = await findMerchant(db, merchant)
    const sources = {
      db,
      seedKeys: new SigningKeys(db, 'seeds'),
      wheels: new PublishedWheels(db),
      now: new Date(),
    }
    return work(sources, await findWheel(db, merchantId, slug))
  })
}
