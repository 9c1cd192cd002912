import { type Command, InvalidArgumentError } from 'commander'
import { findMerchant } from '../../merchants/merchants.ts'
import { Refusal } from '../../refusals.ts'
import { commandCause, type JsonOption, print, withDatabase } from '../output.ts'

export function addTestCommands(program: Command): void {
  const test = program.command('test').description('create and remove test merchants')

  test
    .command('create <merchant>')
    .description('create the test merchant of a live merchant, with copies of its wheels and campaigns')
    .option('--name <name>', 'a name, if there are to be several, such as ci-1', parseName)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wheelhouse test create acme\n  wheelhouse token issue test-acme --scopes spins,links,manage',
    )
    .action(async (slug: string, options: JsonOption & { name?: string }) => {
      const { openTestMerchant } = await import('../../test-mode/test-merchants.ts')
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
      const { removeTestMerchant } = await import('../../test-mode/test-merchants.ts')
      await withDatabase(async (db) => {
        const { testOf, testName } = await findMerchant(db, slug)
        if (testOf === null) throw new Refusal('test_merchant_needed')
        await removeTestMerchant(db, { testOf, testName }, commandCause())
      })
      print({ merchant: slug }, options, `${slug} is removed.`)
    })
}

function parseName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,19}$/.test(text)) return text
  throw new InvalidArgumentError('Write up to 20 lower-case letters, digits and hyphens.')
}
