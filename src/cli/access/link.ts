import type { Command } from 'commander'
import { readLinkId } from '../../links/game-links.ts'
import { recordChanges } from '../../audit-log/audit-log.ts'
import { revokeLink } from '../../links/link-states.ts'
import { findMerchant, revokeLinksOfMerchant } from '../../merchants/merchants.ts'
import { Mistake } from '../../mistake.ts'
import { revokePlayerLinks } from '../../players/block-player.ts'
import { commandCause, type JsonOption, print, withDatabase } from '../output.ts'
import { visibleText } from '../../visible-text.ts'

export function addLinkCommand(program: Command): void {
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
