import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import { readArchivedPlays } from '../../integrity/archive/archived-rows.ts'
import { SigningKeys } from '../../crypto/signing-keys.ts'
import type { Database } from '../../db/database.ts'
import { timeOf } from '../../test-clock.ts'
import { findMerchant } from '../../merchants/merchants.ts'
import { Mistake } from '../../mistake.ts'
import { type DescribedPlay, describePlay } from '../../plays/describe-play.ts'
import { type PlayRow, readPlaysAfter } from '../../plays/plays.ts'
import { endedRuns } from '../../pacing/reveal-run.ts'
import { hashing } from '../../fairness/hashing.ts'
import {
  type ExportedRun,
  ExportVerifier,
  type VerifiedExport,
  type VerifiedLine,
} from '../../fairness/verify-export.ts'
import { PublishedWheels } from '../../wheels/published-wheels.ts'
import { linesOf } from '../../lines.ts'
import { type JsonOption, print, withDatabase } from '../output.ts'

const pageSize = 1_000

/** A line of an export: a run that has ended, a play, or a published wheel, which comes before its first play. */
type ExportLine = { published: string } | { play: DescribedPlay } | { run: ExportedRun }

export function addVerifyCommand(program: Command): void {
  program
    .command('verify [file]')
    .description(
      'verify plays: all lines of an export, or one play that a player copied (exit code 2 if any is wrong)',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nIt needs no server and no database; docs/fairness.md explains the checks.\n\nExample:\n  wheelhouse plays export acme > plays.ndjson\n  wheelhouse verify plays.ndjson',
    )
    .action(async (file: string | undefined, options: JsonOption) => {
      const result = await verifyLines(file === undefined ? process.stdin : createReadStream(file))
      const lines = result.complaints.map(({ of, complaints }) => `WRONG: ${of}: ${complaints.join('; ')}`)
      print(result, options, [...lines, ...summary(result)].join('\n'))
      if (result.wrong > 0) process.exitCode = 2
    })
}

export function addPlayCommands(program: Command): void {
  program
    .command('plays')
    .description('plays and their proofs')
    .command('export <merchant>')
    .description(
      'write all plays of a merchant with their proofs, one JSON object per line, for `wheelhouse verify`',
    )
    .action(async (slug: string) => {
      await withDatabase(async (pool, config) => {
        const merchant = await findMerchant(pool, slug)
        const { merchantId } = merchant
        const now = timeOf(merchant, new Date())
        const [seedKeys, wheels] = [new SigningKeys(pool, 'seeds'), new PublishedWheels(pool)]
        for (const run of await endedRuns({ db: pool, seedKeys, wheels, now }, merchantId))
          await writeLine({ run })
        const shown = new Set<string>()
        for await (const row of allPlays(pool, { folder: config.archiveDir, merchantId })) {
          const [version, key] = [
            await wheels.version(row.wheelId, row.wheelVersion),
            await seedKeys.everById(row.seedKeyId),
          ]
          if (key === undefined) throw new Error(`the key of play ${row.playId} is missing`)
          if (!shown.has(version.sha256)) await writeLine({ published: version.published })
          shown.add(version.sha256)
          await writeLine({ play: describePlay(row, version, key) })
        }
      })
    })
}

/** First those in the archives. */
async function* allPlays(
  db: Database,
  from: { folder: string; merchantId: number },
): AsyncGenerator<PlayRow> {
  yield* readArchivedPlays(db, from)
  for (let after = { playerNo: -1, playNo: -1 }; ;) {
    const place = after
    const page = await db.longTransaction((tx) => readPlaysAfter(tx, from.merchantId, place, pageSize))
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last
  }
}

async function writeLine(line: ExportLine): Promise<void> {
  if (process.stdout.write(`${JSON.stringify(line)}\n`)) return
  await new Promise((resolve) => process.stdout.once('drain', resolve))
}

async function verifyLines(input: AsyncIterable<Buffer | string>): Promise<VerifiedExport> {
  const verifier = new ExportVerifier(hashing)
  let lineNo = 0
  for await (const text of linesOf(input)) {
    lineNo++
    if (text.trim() !== '') verifier.add(parseLine(text, lineNo))
  }
  const verified = verifier.finish()
  if (verified.plays + verified.runs === 0) throw new Mistake('The input has no play and no run to check.')
  return verified
}

function summary({ plays, runs, later, wrong }: VerifiedExport): string[] {
  const runsText = runs === 0 ? '' : ` and ${runs} runs of paced prizes`
  const open = `The gates of ${later} plays can be checked once their runs have ended.`
  return [`${plays} plays${runsText} checked, ${wrong} wrong.`, ...(later === 0 ? [] : [open])]
}

function parseLine(text: string, lineNo: number): VerifiedLine {
  try {
    const line = JSON.parse(text) as VerifiedLine
    if ('published' in line || 'play' in line || 'run' in line) return line
  } catch {
    // Reported below, like JSON of another shape.
  }
  throw new Mistake(`Line ${lineNo} is neither a play, nor a run, nor a published wheel.`)
}
