import { type Command, InvalidArgumentError } from 'commander'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import { Mailer } from '../../mail.ts'
import { findMerchant } from '../../merchants/merchants.ts'
import { Mistake } from '../../mistake.ts'
import { changeRole, removeFromMerchant } from '../../staff/change-roles.ts'
import { findInviter, invitationLink, listAllInvitations } from '../../staff/invitations.ts'
import { inviteStaff, resetStaff } from '../../staff/invite-staff.ts'
import { changeOperatorRight } from '../../staff/operator-right.ts'
import { preventFirstLink, removeAccount, withdrawFirstLink } from '../../staff/remove-account.ts'
import { type Role, roles } from '../../staff/roles.ts'
import { resetSecondFactors } from '../../staff/sign-in-methods.ts'
import { methodMail } from '../../staff/staff-mails.ts'
import { findStaffByEmail, foldEmail, listStaff, type Staff } from '../../staff/staff.ts'
import { confirm } from './confirm.ts'
import { parseOnOff } from '../durations.ts'
import { oneAtATime } from '../server/one-at-a-time.ts'
import { commandCause, counting, type JsonOption, print, table, withDatabase } from '../output.ts'

export function addStaffCommands(program: Command): void {
  const staff = program.command('staff').description('manage console accounts')

  staff
    .command('invite <email>')
    .description('create an invitation link for you to send; it works once, and is shown only now')
    .option('--merchant <merchant>', 'the merchant')
    .option('--role <role>', `the role at the merchant: ${roles.join(', ')} (default: owner)`, parseRole)
    .option('--operator', 'make the account an operator of all merchants')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  wheelhouse staff invite anna@example.com --merchant acme --role editor\n  wheelhouse staff invite root@example.com --operator',
    )
    .action(
      async (email: string, options: JsonOption & { merchant?: string; role?: Role; operator?: boolean }) => {
        if (options.merchant === undefined && options.operator !== true)
          throw new Mistake('Give --merchant or --operator.')
        if (options.merchant === undefined && options.role !== undefined)
          throw new Mistake('--role needs --merchant: an operator is an owner at every merchant.')
        if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 200)
          throw new Mistake(`"${email}" is not an email address.`)
        const link = await withDatabase(async (db, config) => {
          const merchant = options.merchant === undefined ? null : await findMerchant(db, options.merchant)
          const post = {
            merchantId: merchant?.merchantId ?? null,
            role: merchant === null ? null : (options.role ?? 'owner'),
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
    .description('list all accounts and open invitations')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const rows = await withDatabase(listAccountsAndInvitations)
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
    .command('role <email> <merchant>')
    .argument('<role>', `${roles.join(', ')}, or none`, parseRoleOrNone)
    .description("change an account's role at a merchant")
    .option('--json', 'print JSON')
    .action(async (email: string, slug: string, role: Role | 'none', options: JsonOption) => {
      await withDatabase(async (db) => {
        const { staffId } = await findPerson(db, email)
        const { merchantId } = await findMerchant(db, slug)
        const order = { staffId, merchantId }
        if (role === 'none') await removeFromMerchant(db, order, commandCause())
        else await changeRole(db, { ...order, role }, commandCause())
      })
      print(
        { email, merchant: slug, role },
        options,
        `${email} ${role === 'none' ? 'has no role' : `is ${role}`} at ${slug}.`,
      )
    })

  staff
    .command('operator <email>')
    .argument('<on|off>', 'whether the account is an operator of all merchants', parseOnOff)
    .description("give or end an account's operator right; its roles at merchants stay")
    .option('--force', 'also if no operator is left')
    .option('--yes', 'do not ask whether the account is the right one')
    .option('--json', 'print JSON')
    .action(async (email: string, isOperator: boolean, options: OperatorOptions) => {
      const order = { isOperator, isForced: options.force === true }
      await withDatabase(async (db) => {
        const person = await findPerson(db, email)
        if (isOperator && options.yes !== true) await confirm(await describeAccount(db, person))
        await changeOperatorRight(db, person, order, commandCause())
      })
      const text = `${email} is ${isOperator ? 'an operator' : 'no longer an operator'}.`
      print({ email, operator: isOperator }, options, text)
    })

  staff
    .command('remove <email>')
    .description(
      'delete an account, with its roles and sessions, and withdraw the open invitations of the address',
    )
    .option('--force', 'also if a merchant has no other owner, or no operator is left')
    .option('--json', 'print JSON')
    .action(async (email: string, options: ForceOption & JsonOption) => {
      const order = { email: foldEmail(email), isForced: options.force === true }
      const done = await withDatabase((db) => removeAccount(db, order, commandCause()))
      const { hadAccount, withdrawnCount } = done
      if (!hadAccount && withdrawnCount === 0) throw nobodyHas(email, 'account or open invitation')
      const account = hadAccount ? `Removed ${email}.` : `${email} has no account.`
      const invitations =
        withdrawnCount === 0 ? '' : ` Withdrew ${counting(withdrawnCount, 'open invitation')}.`
      const removed = hadAccount ? email : null
      print({ removed, withdrawnInvitations: withdrawnCount }, options, account + invitations)
    })

  addFirstLinkCommand(staff)
}

function addFirstLinkCommand(staff: Command): void {
  staff
    .command('withdraw-first-link')
    .description('withdraw the operator link that the first start prints; before the first start, prevent it')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const cause = commandCause()
      const withdrawn = await withDatabase((db) =>
        oneAtATime(
          db,
          async (tx) => (await withdrawFirstLink(tx, cause)) || (await preventFirstLink(tx, cause.now)),
        ),
      )
      const text = withdrawn
        ? 'The link of the first start is withdrawn. Invite an operator with: wheelhouse staff invite <email> --operator'
        : 'There is no open link of the first start: it was used, has expired, or was withdrawn.'
      print({ withdrawn }, options, text)
    })
}

type ForceOption = { force?: boolean }
type OperatorOptions = ForceOption & JsonOption & { yes?: boolean }

/** Whose account it is, as far as that is known. The invitation may have named any address. */
async function describeAccount(db: Database, person: Staff): Promise<string> {
  const { email, name, createdAt, emailProvenAt } = person
  const inviter = await findInviter(db, person)
  const place = inviter?.merchantSlug ?? 'no merchant'
  const by = inviter === undefined ? 'no invitation' : `an invitation by ${inviter.madeBy} to ${place}`
  const proof =
    emailProvenAt === null
      ? `Nobody has proven to read the mailbox of ${email}.`
      : `The mailbox was proven on ${emailProvenAt.toISOString()}.`
  const made = `The account ${email} (${JSON.stringify(name)}) was made on ${createdAt.toISOString()}, by ${by}.`
  return `${made} ${proof} An operator can do everything, at every merchant.`
}

/** An invitation looks like the account that it would create, with the time until which it can be accepted. */
async function listAccountsAndInvitations(db: Database) {
  const accounts = (await listStaff(db)).map((one) => ({
    email: one.email,
    name: one.name,
    operator: one.isOperator,
    secondFactor: one.hasSecondFactor,
    roles: one.merchants,
    createdAt: one.createdAt,
    provenAt: one.emailProvenAt,
    invitedUntil: null,
  }))
  const invitations = (await listAllInvitations(db, new Date())).map((one) => ({
    email: one.email,
    name: null,
    operator: one.makesOperator,
    secondFactor: null,
    roles: one.merchantSlug === null ? [] : [`${one.merchantSlug}:${one.role}`],
    createdAt: one.createdAt,
    provenAt: null,
    invitedUntil: one.expiresAt,
  }))
  return [...accounts, ...invitations]
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
  if (found === undefined) throw nobodyHas(email, 'account')
  return found
}

function nobodyHas(email: string, missing: string): Mistake {
  return new Mistake(`No ${missing} has the address "${email}". \`wheelhouse staff list\` shows all.`)
}

function parseRoleOrNone(text: string): Role | 'none' {
  if (text === 'none' || roles.some((one) => one === text)) return text as Role | 'none'
  throw new InvalidArgumentError(`Choose from ${roles.join(', ')}, none.`)
}

function parseRole(text: string): Role {
  const role = roles.find((one) => one === text)
  if (role === undefined) throw new InvalidArgumentError(`Choose from ${roles.join(', ')}.`)
  return role
}
