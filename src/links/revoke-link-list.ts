import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { type Database, untilDone } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { markListDeleted, readListedPlayers } from './link-lists.ts'
import { insertRevokedLinks } from './link-states.ts'

const linksPerStatementMax = 5_000

/**
 * Deletes a list and revokes its links at once. The ids of its links are known from the start, so that a link which is
 * being made is revoked too.
 */
export async function revokeLinkList(
  db: Database,
  key: { merchantId: number; listId: string },
  cause: Cause,
): Promise<void> {
  const linkIds = await readLinkIds(db, key)
  const { merchantId, listId } = key
  await untilDone(() =>
    db.transaction(async (tx) => {
      if (!(await markListDeleted(tx, key, cause.now))) throw new Refusal('link_list_not_found')
      for (let at = 0; at < linkIds.length; at += linksPerStatementMax)
        await insertRevokedLinks(tx, {
          merchantId,
          linkIds: linkIds.slice(at, at + linksPerStatementMax),
          now: cause.now,
        })
      const subject = { kind: 'link_list', id: listId }
      await recordChanges(tx, [{ merchantId, action: 'link_list.revoke', subject }], cause)
    }),
  )
}

async function readLinkIds(db: Database, key: { merchantId: number; listId: string }): Promise<string[]> {
  const linkIds: string[] = []
  for (let after = -1; ;) {
    const page = { after, limit: linksPerStatementMax }
    const players = await untilDone(() => readListedPlayers(db, key, page))
    linkIds.push(...players.map(({ linkId }) => linkId))
    if (players.length < page.limit) return linkIds
    after = players.at(-1)?.place ?? after
  }
}
