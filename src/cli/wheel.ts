import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Cause } from '../audit-log/audit-log.ts'
import { Errors } from 'typebox/value'
import type { Database } from '../db/database.ts'
import { codesPerUploadMax } from '../limits.ts'
import { Mistake } from '../mistake.ts'
import { firstColumn } from '../stock/code-lines.ts'
import { readPools, uploadCodes } from '../stock/code-pools.ts'
import { WheelDocument } from '../wheels/wheel-document.ts'
import { isSlug } from '../slug.ts'
import { findWheel, listWheels, publishWheel, saveDraft, setPause } from '../wheels/wheels.ts'
import { setWheelOfLinks } from '../merchants/wheel-of-links.ts'
import { linesOf } from '../lines.ts'
import { forMerchant } from './for-merchant.ts'
import { type JsonOption, print, table } from './output.ts'
import { addPublicationSchedule, scheduledText } from './schedule.ts'
import { addSimulateCommand } from './simulate.ts'

export function addWheelCommands(program: Command): void {
  const wheel = program.command('wheel').description('edit wheels as JSON files, simulate and publish them')

  wheel
    .command('list <merchant>')
    .description("list a merchant's wheels")
    .option('--json', 'print JSON')
    .action(async (merchant: string, options: JsonOption) => {
      const wheels = await forMerchant(merchant, (db, merchantId) => listWheels(db, merchantId))
      const rows = wheels.map(({ slug, draft, draftRevision, publishedVersion, pausedAt, scheduled }) => ({
        wheel: slug,
        name: draft.name,
        segments: draft.segments.length,
        draftRevision,
        publishedVersion,
        state: pausedAt === null ? 'active' : 'paused',
        scheduled: scheduledText(scheduled),
      }))
      print(rows, options, table(rows, 'There are no wheels.'))
    })

  wheel
    .command('export <merchant> <wheel> [file]')
    .description('write the draft of a wheel as JSON, to a file or to standard output')
    .action(async (merchant: string, slug: string, file: string | undefined) => {
      const { draft } = await forMerchant(merchant, (db, merchantId) => findWheel(db, merchantId, slug))
      const text = `${JSON.stringify(draft, null, 2)}\n`
      if (file === undefined) process.stdout.write(text)
      else writeFileSync(file, text)
    })

  wheel
    .command('import <merchant> <wheel> <file>')
    .description(
      'save a JSON file as the draft of a wheel, which is created if missing; players see it once it is published',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wheelhouse wheel export acme main wheel.json\n  wheelhouse wheel import acme main wheel.json\n  wheelhouse wheel simulate acme main --plays-per-day 1000\n  wheelhouse wheel publish acme main',
    )
    .action(async (merchant: string, slug: string, file: string, options: JsonOption) => {
      if (!isSlug(slug)) {
        throw new Mistake('The id of a wheel must be 1 to 40 lower-case letters, digits and dashes.')
      }
      const draft = readWheelFile(file)
      const saved = await forMerchant(merchant, (db, merchantId, cause) =>
        saveDraft(db, { merchantId, slug, draft, revision: undefined, now: cause.now }, cause),
      )
      print(
        { wheel: slug, draftRevision: saved.draftRevision },
        options,
        `Saved the draft of ${slug}, revision ${saved.draftRevision}.`,
      )
    })

  addSimulateCommand(wheel)

  wheel
    .command('publish <merchant> <wheel>')
    .description('publish the draft, which is played from now on; refuses a draft with errors')
    .option('--links', "let the merchant's game links open this wheel")
    .option('--json', 'print JSON')
    .action(async (merchant: string, slug: string, options: JsonOption & { links?: boolean }) => {
      const version = await forMerchant(merchant, async (db, merchantId, cause) => {
        const published = await publishWheel(db, { merchantId, slug, now: cause.now }, cause)
        if (options.links === true) await setWheelOfLinks(db, await findWheel(db, merchantId, slug), cause)
        return published
      })
      print(
        { version: version.version, hash: version.sha256 },
        options,
        `Published version ${version.version} of ${slug}, ${version.sha256}.`,
      )
    })

  addPublicationSchedule(wheel)

  for (const verb of ['pause', 'resume'] as const) {
    wheel
      .command(`${verb} <merchant> <wheel>`)
      .description(verb === 'pause' ? 'refuse plays until the wheel is resumed' : 'end a pause')
      .option('--json', 'print JSON')
      .action(async (merchant: string, slug: string, options: JsonOption) => {
        const order = { slug, isPaused: verb === 'pause' }
        const { pausedAt } = await forMerchant(merchant, (db, merchantId, cause) =>
          setPause(db, { ...order, merchantId, now: cause.now }, cause),
        )
        print(
          { wheel: slug, pausedAt },
          options,
          `Wheel ${slug} is ${pausedAt === null ? 'active' : 'paused'}.`,
        )
      })
  }
}

export function addCodeCommands(program: Command): void {
  const codes = program.command('codes').description('pools of unique codes to win')

  codes
    .command('upload <merchant> <pool> <file>')
    .description(
      'add codes to a pool: one per line, or the first column of a CSV; existing codes are skipped',
    )
    .option('--header', 'skip the first line')
    .option('--json', 'print JSON')
    .action(
      async (merchant: string, pool: string, file: string, options: JsonOption & { header?: boolean }) => {
        if (!isSlug(pool))
          throw new Mistake('The name of a pool must be 1 to 40 lower-case letters, digits and dashes.')
        const result = await forMerchant(merchant, (db, merchantId, cause) =>
          uploadFile(db, { merchantId, pool, cause }, file, options),
        )
        print(result, options, `Added ${result.added} of ${result.read} codes to ${pool}.`)
      },
    )

  codes
    .command('list <merchant>')
    .description('list pools, and how many codes they have left')
    .option('--json', 'print JSON')
    .action(async (merchant: string, options: JsonOption) => {
      const pools = await forMerchant(merchant, (db, merchantId) => readPools(db, merchantId))
      const rows = pools.map(({ pool, uploaded, taken }) => ({
        pool,
        uploaded,
        taken,
        left: uploaded - taken,
      }))
      print(
        rows,
        options,
        table(
          rows,
          `There are no pools. Upload codes with: wheelhouse codes upload ${merchant} <pool> <file>`,
        ),
      )
    })
}

async function uploadFile(
  db: Database,
  { cause, ...key }: { merchantId: number; pool: string; cause: Cause },
  file: string,
  options: { header?: boolean; json?: boolean },
): Promise<{ read: number; added: number }> {
  const bytesTotal = statSync(file).size
  const input = createReadStream(file)
  const totals = { read: 0, added: 0 }
  let batch: string[] = []
  const flush = async () => {
    totals.added += await uploadCodes(db, key, batch, cause.now, cause)
    totals.read += batch.length
    batch = []
    if (process.stderr.isTTY && options.json !== true) showProgress(input.bytesRead / bytesTotal, totals.read)
  }
  let lineNo = 0
  const notUtf8 = () => new Mistake(`${file} is not UTF-8.`)
  for await (const line of linesOf(input, { notUtf8 })) {
    lineNo++
    if (lineNo === 1 && options.header === true) continue
    const code = codeIn(line, lineNo)
    if (code !== '') batch.push(code)
    if (batch.length >= codesPerUploadMax) await flush()
  }
  if (batch.length > 0) await flush()
  if (process.stderr.isTTY && options.json !== true) process.stderr.write('\n')
  return totals
}

function showProgress(share: number, read: number): void {
  const width = 30
  const done = Math.min(width, Math.round(share * width))
  process.stderr.write(
    `\r[${'#'.repeat(done)}${'.'.repeat(width - done)}] ${Math.min(100, Math.round(share * 100))} %  ${read} codes`,
  )
}

function codeIn(line: string, lineNo: number): string {
  const code = firstColumn(line)
  if (code.length > 200 || /\p{Cc}/u.test(code))
    throw new Mistake(
      `Line ${lineNo} is not a valid code: at most 200 characters, and no control characters.`,
    )
  return code
}

function readWheelFile(file: string): WheelDocument {
  let document: unknown
  try {
    document = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Mistake(
      `${file} can't be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
  const problems = [...Errors(WheelDocument, document)].map(
    (error) => `  ${error.instancePath || '/'} ${error.message}`,
  )
  if (problems.length > 0) throw new Mistake(`${file} is not a valid wheel:\n${problems.join('\n')}`)
  return document as WheelDocument
}
