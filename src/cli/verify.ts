import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import { readArchivedPlays } from '../audit/archive/archived-rows.ts'
import { SigningKeys } from '../crypto/signing-keys.ts'
import type { Database } from '../db/database.ts'
import { findMerchant } from '../merchants/merchants.ts'
import { Mistake } from '../mistake.ts'
import { type DescribedPlay, describePlay } from '../plays/describe-play.ts'
import { type PlayRow, readPlaysAfter } from '../plays/plays.ts'
import { hashing } from '../plays/seeds.ts'
import { verifyPlay } from '../plays/verify-play.ts'
import { PublishedWheels } from '../wheels/published-wheels.ts'
import { linesOf } from '../lines.ts'
import { type JsonOption, print, withDatabase } from './output.ts'

const pageSize = 1_000
const complaintsShownMax = 20

/** A line of an export: a play, or a published wheel, which comes before its first play. */
type ExportLine = { published: string } | { play: DescribedPlay }

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
      const lines = result.complaints.map(
        ({ playId, complaints }) => `WRONG: play ${playId}: ${complaints.join('; ')}`,
      )
      print(result, options, [...lines, `${result.plays} plays checked, ${result.wrong} wrong.`].join('\n'))
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
        const { merchantId } = await findMerchant(pool, slug)
        const [seedKeys, wheels] = [new SigningKeys(pool, 'seeds'), new PublishedWheels(pool)]
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
  for (let after = { shard: -1, playerNo: -1, playNo: -1 }; ;) {
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

async function verifyLines(input: AsyncIterable<Buffer | string>) {
  const published = new Map<string, string>()
  const result = { plays: 0, wrong: 0, complaints: [] as { playId: string; complaints: string[] }[] }
  let lineNo = 0
  for await (const text of linesOf(input)) {
    lineNo++
    if (text.trim() === '') continue
    const line = parseLine(text, lineNo)
    if ('published' in line && !('play' in line)) {
      published.set(createHash('sha256').update(line.published).digest('hex'), line.published)
      continue
    }
    const play = line.play
    const version = 'published' in line ? line.published : published.get(play.proof.versionHash)
    const complaints =
      version === undefined
        ? ['its published wheel is not in the export']
        : verifyPlay(play, version, hashing)
            .filter((step) => !step.holds)
            .map((step) => step.says)
    result.plays++
    if (complaints.length === 0) continue
    result.wrong++
    if (result.complaints.length < complaintsShownMax)
      result.complaints.push({ playId: play.playId, complaints })
  }
  return result
}

function parseLine(
  text: string,
  lineNo: number,
): { published: string } | { play: DescribedPlay; published?: string } {
  try {
    const line = JSON.parse(text) as { published: string } | { play: DescribedPlay }
    if ('published' in line || 'play' in line) return line
  } catch {
    // Reported below, like JSON of another shape.
  }
  throw new Mistake(`Line ${lineNo} is neither a play nor a published wheel.`)
}
