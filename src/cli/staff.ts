import { type Command, InvalidArgumentError } from 'commander'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { Mailer } from '../mail.ts'
import { findMerchant } from '../merchants/merchants.ts'
import { Mistake } from '../mistake.ts'
import { changeRole, removeFromMerchant } from '../staff/change-roles.ts'
import { invitationLink } from '../staff/invitations.ts'
import { inviteStaff, removeAccount, resetStaff } from '../staff/invite-staff.ts'
import { type Role, roles } from '../staff/roles.ts'
import { resetSecondFactors } from '../staff/sign-in-methods.ts'
import { methodMail } from '../staff/staff-mails.ts'
import { findStaffByEmail, foldEmail, listStaff, type Staff } from '../staff/staff.ts'
import { commandCause, type JsonOption, print, table, withDatabase } from './output.ts'

export function addStaffCommands(program: Command): void {
  const staff = program.command('staff').description('manage console accounts')

  staff
    .command('invite <email>')
    .description('create an invitation link for you to send; it works once, and is shown only now')
    .option('--merchant <merchant>', 'the merchant')
    .option('--role <role>', `the role at the merchant: ${roles.join(', ')}`, parseRole, 'owner' as Role)
    .option('--operator', 'make the account an operator of all merchants')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  wheelhouse staff invite anna@example.com --merchant acme --role editor\n  wheelhouse staff invite root@example.com --operator',
    )
    .action(
      async (email: string, options: JsonOption & { merchant?: string; role: Role; operator?: boolean }) => {
        if (options.merchant === undefined && options.operator !== true)
          throw new Mistake('Give --merchant or --operator.')
        if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 200)
          throw new Mistake(`"${email}" is not an email address.`)
        const link = await withDatabase(async (db, config) => {
          const merchant = options.merchant === undefined ? null : await findMerchant(db, options.merchant)
          const post = {
            merchantId: merchant?.merchantId ?? null,
            role: merchant === null ? null : options.role,
            makesOperator: options.operator === true,
          }
          const token = await inviteStaff(db, { email: foldEmail(email), ...post }, commandCause())
          return invitationLink(config.publicUrl, token)
        })
        print({ link }, options, `${link}\n\nSend it to ${email}. It works once, within seven days.`)
      },
    )

  staff
    .command('list')
    .description('list all accounts')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const rows = (await withDatabase((db) => listStaff(db))).map(
        ({ email, name, isOperator, hasSecondFactor, merchants, createdAt }) => ({
          email,
          name,
          operator: isOperator,
          secondFactor: hasSecondFactor,
          roles: merchants,
          createdAt,
        }),
      )
      print(
        rows,
        options,
        table(rows, 'There are no accounts yet. Invite a person with: wheelhouse staff invite'),
      )
    })

  staff
    .command('reset <email>')
    .description(
      'create a link to choose a new password; using it ends all sessions and turns off two-factor authentication',
    )
    .option('--json', 'print JSON')
    .action(async (email: string, options: JsonOption) => {
      const link = await withDatabase((db, config) => makeReset(db, config, email))
      print({ link }, options, `${link}\n\nSend it to ${email}. It works once, within seven days.`)
    })

  staff
    .command('reset-second-factor <email>')
    .description(
      "remove an account's authenticator app, passkeys and recovery codes; ends all sessions, keeps the password",
    )
    .option('--json', 'print JSON')
    .action(async (email: string, options: JsonOption) => {
      const mailed = await withDatabase(async (db, config, log) => {
        const person = await findPerson(db, email)
        await resetSecondFactors(db, person, commandCause())
        return mailNotice(person, config, log)
      })
      const notice = mailed ? 'They were informed by mail.' : 'No mail was sent, so please inform them.'
      print({ email, mailed }, options, `${email} signs in with the password alone now. ${notice}`)
    })

  staff
    .command('role <email> <merchant> <role>')
    .description(`change an account's role at a merchant: ${roles.join(', ')}, or none`)
    .option('--json', 'print JSON')
    .action(async (email: string, slug: string, role: string, options: JsonOption) => {
      await withDatabase(async (db) => {
        const { staffId } = await findPerson(db, email)
        const { merchantId } = await findMerchant(db, slug)
        const order = { staffId, merchantId }
        if (role === 'none') await removeFromMerchant(db, order, commandCause())
        else await changeRole(db, { ...order, role: parseRole(role) }, commandCause())
      })
      print({ email, merchant: slug, role }, options, `${email} is ${role} at ${slug}.`)
    })

  staff
    .command('remove <email>')
    .description('delete an account, with its roles and sessions')
    .option('--json', 'print JSON')
    .action(async (email: string, options: JsonOption) => {
      await withDatabase(async (db) => removeAccount(db, await findPerson(db, email), commandCause()))
      print({ removed: email }, options, `Removed ${email}.`)
    })
}

async function makeReset(db: Database, config: Config, email: string): Promise<string> {
  const token = await resetStaff(db, await findPerson(db, email), commandCause())
  return invitationLink(config.publicUrl, token)
}

async function mailNotice({ email }: Staff, config: Config, log: Logger): Promise<boolean> {
  if (config.mail === undefined) return false
  const mailer = new Mailer(config.mail, log)
  const mailed = await mailer.send(methodMail(email, 'second_factor_reset'))
  await mailer.close()
  return mailed
}

async function findPerson(db: Database, email: string): Promise<Staff> {
  const found = await findStaffByEmail(db, foldEmail(email))
  if (found === undefined)
    throw new Mistake(`No account has the address "${email}". \`wheelhouse staff list\` shows all accounts.`)
  return found
}

function parseRole(text: string): Role {
  const role = roles.find((one) => one === text)
  if (role === undefined) throw new InvalidArgumentError(`Choose from ${roles.join(', ')}.`)
  return role
}
