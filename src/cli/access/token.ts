import { type Command, InvalidArgumentError, Option } from 'commander'
import { findMerchant } from '../../merchants/merchants.ts'
import { Mistake } from '../../mistake.ts'
import { type Scope, scopes } from '../../merchants/scopes.ts'
import {
  findToken,
  issueToken,
  listTokens,
  revokeToken,
  type ServiceTokenRow,
} from '../../merchants/service-tokens.ts'
import { timeOf } from '../../test-clock.ts'
import { parseDurationSeconds, parseName } from '../durations.ts'
import { commandCause, type JsonOption, print, table, withDatabase } from '../output.ts'

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description("issue and revoke merchants' service tokens")

  token
    .command('issue <merchant>')
    .description('create a token and show it, once')
    .option('--name <name>', 'what it is for', 'unnamed')
    .option('--scopes <list>', `scopes, separated by commas: ${scopes.join(', ')}`, parseScopes, [
      'spins',
      'links',
    ] as Scope[])
    .option(
      '--expires <time>',
      'how long it is valid, such as 90d or 12h (default: until it is revoked)',
      parseLifetimeSeconds,
    )
    .option(
      '--campaign <campaign>',
      'bind it to a campaign: it means that campaign alone (default: not bound; increaseSpin and sso mean main)',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  wheelhouse token issue acme --name "shop server" --scopes spins,links --expires 365d\n' +
        '  wheelhouse token issue acme --name "summer shop" --campaign summer',
    )
    .action(
      async (
        merchantId: string,
        options: JsonOption & { name: string; scopes: Scope[]; expires?: number; campaign?: string },
      ) => {
        const { scopes: chosen, campaign, expires } = options
        const name = parseName(options.name)
        const issued = await withDatabase((db) =>
          db.transaction(async (tx) => {
            const merchant = await findMerchant(tx, merchantId)
            const now = timeOf(merchant, new Date())
            const expiresAt = expires === undefined ? null : secondsAfter(now, expires)
            const order = { name, scopes: chosen, expiresAt, campaign, now }
            return issueToken(tx, merchant, order, commandCause(merchant))
          }),
        )
        print(
          { token: issued },
          options,
          `${issued}\n\nSave it now: it can't be shown again. Send it as the whole value of the Authorization header.`,
        )
      },
    )

  token
    .command('list <merchant>')
    .description("list a merchant's tokens, without their secrets")
    .option('--json', 'print JSON')
    .action(async (merchantId: string, options: JsonOption) => {
      const shown = await withDatabase(async (db) => {
        const merchant = await findMerchant(db, merchantId)
        const now = timeOf(merchant, new Date())
        return (await listTokens(db, merchant.merchantId)).map((row) => describe(row, now))
      })
      print(
        shown,
        options,
        table(shown, `There are no tokens yet. Issue one with: wheelhouse token issue ${merchantId}`),
      )
    })

  token
    .command('revoke <identifier>')
    .description(
      'revoke a token (the identifier is the part before the colon); takes effect in all processes within 5 seconds',
    )
    .option('--json', 'print JSON')
    .action(async (identifier: string, options: JsonOption) => {
      const tokenId = identifier.split(':', 1)[0] ?? ''
      await withDatabase(async (db) => {
        const cause = commandCause(await findMerchant(db, (await findToken(db, tokenId)).merchant))
        await db.transaction((tx) => revokeToken(tx, tokenId, cause.now, { cause }))
      })
      print({ revoked: tokenId }, options, `Revoked ${tokenId}.`)
    })

  token
    .command('rotate <identifier>')
    .description('replace a token by a new one; the old one works for a grace period')
    .addOption(
      new Option('--grace <time>', 'how long the old token still works')
        .argParser(parseDurationSeconds)
        .default(86_400, '1d'),
    )
    .option('--json', 'print JSON')
    .action(async (identifier: string, options: JsonOption & { grace: number }) => {
      const tokenId = identifier.split(':', 1)[0] ?? ''
      const { issued, oldTokenEndsAt, isExpired } = await withDatabase(async (db) => {
        const old = await findToken(db, tokenId)
        const merchant = await findMerchant(db, old.merchant)
        const cause = commandCause(merchant)
        const { now } = cause
        if (old.revokedAt !== null && old.revokedAt <= now)
          throw new Mistake(`${tokenId} was revoked; issue a new token instead.`)
        const lifetimeMs = old.expiresAt === null ? null : old.expiresAt.getTime() - old.createdAt.getTime()
        const expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs)
        return db.transaction(async (tx) => {
          const campaign = old.campaign ?? undefined
          const order = { name: old.name, scopes: old.scopes, expiresAt, campaign, replaces: tokenId, now }
          const replacement = await issueToken(tx, merchant, order, cause)
          const graceEndsAt = secondsAfter(now, options.grace)
          if (old.expiresAt === null || old.expiresAt > graceEndsAt)
            await revokeToken(tx, tokenId, graceEndsAt, { now, cause })
          const endsAt = endOf(await findToken(tx, tokenId))
          const hadExpired = old.expiresAt !== null && old.expiresAt <= now
          return { issued: replacement, oldTokenEndsAt: endsAt, isExpired: hadExpired }
        })
      })
      print(
        { token: issued, oldTokenDies: oldTokenEndsAt },
        options,
        `${issued}\n\nSave it now: it can't be shown again. ${tokenId} ${isExpired ? 'has expired already, at' : 'works until'} ${oldTokenEndsAt.toISOString()}.`,
      )
    })
}

function parseScopes(text: string): Scope[] {
  const chosen = text.split(',').map((scope) => scope.trim())
  const unknown = chosen.filter((scope) => !scopes.some((known) => known === scope))
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Choose from ${scopes.join(', ')}, separated by commas.`)
  return [...new Set(chosen)] as Scope[]
}

function parseLifetimeSeconds(text: string): number {
  const seconds = parseDurationSeconds(text)
  if (seconds === 0) throw new InvalidArgumentError('Such a token would have expired already.')
  return seconds
}

/** When a token that is revoked or expires stops working. */
function endOf({ expiresAt, revokedAt }: ServiceTokenRow): Date {
  const ends = [expiresAt, revokedAt].filter((end) => end !== null).map((end) => end.getTime())
  return new Date(Math.min(...ends))
}

function secondsAfter(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000)
}

function describe(row: ServiceTokenRow, now: Date) {
  const isRevoked = row.revokedAt !== null && row.revokedAt <= now
  const isExpired = row.expiresAt !== null && row.expiresAt <= now
  return {
    identifier: row.tokenId,
    name: row.name,
    scopes: row.scopes,
    campaign: row.campaign,
    state: isRevoked ? 'revoked' : isExpired ? 'expired' : 'live',
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    lastUsedAt: row.lastUsedAt,
  }
}
