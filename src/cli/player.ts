import type { Command } from 'commander'
import { readLinkId } from '../links/game-links.ts'
import { recordChanges } from '../audit-log/audit-log.ts'
import { revokeLink } from '../links/link-states.ts'
import { findMerchant, revokeLinksOfMerchant } from '../merchants/merchants.ts'
import { Mistake } from '../mistake.ts'
import { blockPlayer, revokePlayerLinks, unblockPlayer } from '../players/block-player.ts'
import { findPlayer } from '../players/players.ts'
import { listLots } from '../players/lot-rows.ts'
import { listPurses } from '../players/purses.ts'
import { timeOf } from '../test-clock.ts'
import { commandCause, type JsonOption, print, table, withDatabase } from './output.ts'
import { visibleText } from '../visible-text.ts'

export function addPlayerCommands(program: Command): void {
  const player = program.command('player').description('show, block and unblock players')

  player
    .command('show <merchant> <playerId>')
    .description("show a player's balance and state")
    .option('--json', 'print JSON')
    .action(async (merchantId: string, playerId: string, options: JsonOption) => {
      const found = await withDatabase(async (db) => {
        const merchant = await findMerchant(db, merchantId)
        const now = timeOf(merchant, new Date())
        const known = await findPlayer(db, { merchantId: merchant.merchantId, playerId }, now)
        const lots = known && (await listLots(db, known, now))
        return known && { ...known, lots, purses: await listPurses(db, known, now) }
      })
      if (found === undefined) throw noPlayer(merchantId, playerId)
      const { balance, blockedAt, createdAt, purses, lots = [] } = found
      const shown = {
        playerId,
        spinCount: balance,
        // As `summer:3`, for each campaign with its own spins.
        purses: purses.map((purse) => `${purse.campaign}:${purse.balance}`),
        // As `main:2@2026-12-24T18:00:00.000Z`, in the order in which they are used.
        expiring: lots.map((lot) => `${lot.campaign}:${lot.spinsLeft}@${lot.expiresAt.toISOString()}`),
        state: blockedAt === null ? 'active' : 'blocked',
        createdAt,
      }
      print(shown, options, table([shown], ''))
    })

  for (const verb of ['block', 'unblock'] as const) {
    player
      .command(`${verb} <merchant> <playerId>`)
      .description(
        verb === 'block' ? 'refuse spins and links for a player; takes effect at once' : 'end a block',
      )
      .option('--json', 'print JSON')
      .action(async (merchantId: string, playerId: string, options: JsonOption) => {
        const changed = await withDatabase(async (db) => {
          const merchant = await findMerchant(db, merchantId)
          const change = verb === 'block' ? blockPlayer : unblockPlayer
          return change(db, { merchantId: merchant.merchantId, playerId }, commandCause(merchant))
        })
        if (changed === undefined) throw noPlayer(merchantId, playerId)
        print(
          { playerId, state: verb === 'block' ? 'blocked' : 'active' },
          options,
          `Player ${visibleText(playerId)} is ${verb}ed.`,
        )
      })
  }
}

export function addLinkCommands(program: Command): void {
  program
    .command('link')
    .description('revoke game links')
    .command('revoke <merchant>')
    .description('revoke one link, all links of a player, or all links of a merchant; takes effect at once')
    .option('--token <token>', 'the game token, or the whole link')
    .option('--player <playerId>', 'all existing links of this player')
    .option('--all', 'all existing links of the merchant')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  wheelhouse link revoke acme --player alice\n  wheelhouse link revoke acme --token "https://…/spinthewheel/?token=…"',
    )
    .action(
      async (slug: string, options: JsonOption & { token?: string; player?: string; all?: boolean }) => {
        const chosen = [options.token, options.player, options.all].filter((option) => option !== undefined)
        if (chosen.length !== 1) throw new Mistake('Give exactly one of --token, --player and --all.')
        await withDatabase(async (db) => {
          const merchant = await findMerchant(db, slug)
          const { merchantId } = merchant
          const cause = commandCause(merchant)
          if (options.token !== undefined)
            await revokeLink(db, { linkId: linkIdIn(options.token), merchantId }, cause)
          else if (options.player !== undefined) {
            const player = { merchantId, playerId: options.player }
            const changed = await revokePlayerLinks(db, player, cause)
            if (changed === undefined) throw noPlayer(slug, options.player)
          } else {
            const subject = { kind: 'merchant', id: slug }
            await db.transaction(async (tx) => {
              await revokeLinksOfMerchant(tx, merchantId, cause.now)
              await recordChanges(tx, [{ merchantId, action: 'merchant.revoke_links', subject }], cause)
            })
          }
        })
        print({ revoked: true }, options, 'Revoked.')
      },
    )
}

function linkIdIn(text: string): string {
  const token = URL.parse(text)?.searchParams.get('token') ?? text
  const linkId = readLinkId(token)
  if (linkId === undefined) throw new Mistake('This is neither a game token nor a game link.')
  return linkId
}

function noPlayer(merchantId: string, playerId: string): Mistake {
  return new Mistake(`Merchant ${merchantId} has no player "${visibleText(playerId)}".`)
}
