import { type Command, InvalidArgumentError } from 'commander'
import { findMerchant } from '../merchants/merchants.ts'
import { Refusal } from '../refusals.ts'
import { timeOf } from '../test-clock.ts'
import { commandCause, type JsonOption, print, withDatabase } from './output.ts'
import type { PromoteOptions } from './promote.ts'

export function addTestCommands(program: Command): void {
  const test = program
    .command('test')
    .description('test merchants: create, set the clock, start again, promote, remove')

  test
    .command('create <merchant>')
    .description('create the test merchant of a live merchant, with copies of its wheels and campaigns')
    .option('--name <name>', 'a name, if there are to be several, such as ci-1', parseName)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wheelhouse test create acme\n  wheelhouse token issue test-acme --scopes spins,links,manage\n' +
        '  wheelhouse test clock test-acme --set 2027-03-28T00:59:30Z',
    )
    .action(async (slug: string, options: JsonOption & { name?: string }) => {
      const { openTestMerchant } = await import('../test-mode/test-merchants.ts')
      const made = await withDatabase(async (db) =>
        openTestMerchant(
          db,
          { live: await findMerchant(db, slug), testName: options.name ?? null },
          commandCause(),
        ),
      )
      print(
        { merchant: made.slug },
        options,
        `The test merchant of ${slug} is ${made.slug}. Next: wheelhouse token issue ${made.slug}`,
      )
    })

  test
    .command('remove <merchant>')
    .description('put a test merchant out of use; its tokens and links end')
    .option('--json', 'print JSON')
    .action(async (slug: string, options: JsonOption) => {
      const { removeTestMerchant } = await import('../test-mode/test-merchants.ts')
      await withDatabase(async (db) => {
        const { testOf, testName } = await findMerchant(db, slug)
        if (testOf === null) throw new Refusal('test_merchant_needed')
        await removeTestMerchant(db, { testOf, testName }, commandCause())
      })
      print({ merchant: slug }, options, `${slug} is removed.`)
    })

  test
    .command('clock <merchant>')
    .description('show the clock of a test merchant, or set it to a later time')
    .option('--set <time>', 'a time such as 2027-03-28T00:59:30Z, at most two years ahead', parseTime)
    .option('--json', 'print JSON')
    .action(async (slug: string, options: JsonOption & { set?: Date }) => {
      const { set } = options
      const now = await withDatabase(async (db, config) => {
        const merchant = await findMerchant(db, slug)
        if (set === undefined) return timeOf(merchant, new Date())
        const { setClock } = await import('../test-mode/set-clock.ts')
        return setClock({ db, config, now: () => new Date() }, merchant, set, commandCause())
      })
      print({ merchant: slug, now }, options, now.toISOString())
    })

  test
    .command('reset <merchant>')
    .description('replace a test merchant by a fresh one; its tokens, webhooks, wheels and campaigns stay')
    .option('--json', 'print JSON')
    .action(async (slug: string, options: JsonOption) => {
      const { resetTestMerchant } = await import('../test-mode/reset-test-merchant.ts')
      await withDatabase(async (db) => {
        const merchant = await findMerchant(db, slug)
        await resetTestMerchant({ db, now: () => new Date() }, merchant, commandCause())
      })
      print({ merchant: slug }, options, `${slug} begins anew.`)
    })

  test
    .command('promote <merchant>')
    .description(
      'show what the promotion of a wheel or campaign would change at the live merchant, and make it',
    )
    .option('--wheel <id>', 'a wheel of the test merchant')
    .option('--campaign <id>', 'a campaign of the test merchant, with its wheel')
    .option('--publish', 'publish the wheel at once; otherwise it becomes the live draft')
    .option('--revision <revision>', 'make the promotion that was shown with this revision')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wheelhouse test promote test-acme --wheel main --publish\n' +
        '  wheelhouse test promote test-acme --wheel main --publish --revision 8f2c1a90b7d3e456',
    )
    .action(async (slug: string, options: PromoteOptions) => {
      const { runPromotion } = await import('./promote.ts')
      await runPromotion(slug, options)
    })
}

function parseName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,19}$/.test(text)) return text
  throw new InvalidArgumentError('Write up to 20 lower-case letters, digits and hyphens.')
}

function parseTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Write a time like 2027-03-28T00:59:30Z.')
  return time
}
