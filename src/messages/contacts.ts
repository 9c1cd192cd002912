import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { listSigningKeysWithSecrets, readNewestKey } from '../crypto/signing-keys.ts'
import { type Database, type Queryable, untilDone } from '../db/database.ts'
import { answersPlace } from '../entries/entry-place.ts'
import { seal, unseal } from '../entries/seal.ts'
import { makeMissingKeys } from '../entries/visitor-keys.ts'
import { changeAnswers, deleteAnswers, readAnswers } from '../entries/visitor-entries.ts'
import { lockPlayers } from '../players/ledger.ts'
import { Refusal } from '../refusals.ts'

/** How a merchant says that its player is reached. `agreedToMarketingAt`: null for never. */
export type Contact = {
  email: string
  language: string | null
  agreedToMarketingAt?: string | null
  setAt: string
}

type PlayerPlace = { shard: number; playerNo: number; merchantId: number }

/**
 * A contact is sealed like the answers of visitors, in the same table, as if it were those of a campaign of its own: so
 * it is erased with them, and its key rotates with theirs.
 */
const contactCampaign = -1

export async function readContact(db: Queryable, player: PlayerPlace): Promise<Contact | undefined> {
  const place = { ...player, campaignId: contactCampaign }
  const row = await readAnswers(db, place)
  const key = row && (await listSigningKeysWithSecrets(db, 'answers')).find((one) => one.keyId === row.keyId)
  return row && key && (JSON.parse(unseal(row, answersPlace(place), key)) as Contact)
}

/** Under the lock on the player, so that an erasure at the same time is not undone. */
export async function setContact(
  db: Database,
  player: PlayerPlace & { playerId: string },
  contact: Omit<Contact, 'setAt'>,
  cause: Cause,
): Promise<Contact> {
  const { now } = cause
  const full = { ...contact, setAt: now.toISOString() }
  const place = { ...player, campaignId: contactCampaign }
  await untilDone(() =>
    db.transaction(async (tx) => {
      const [locked] = await lockPlayers(tx, [player])
      if (locked === undefined) throw new Refusal('player_not_found')
      await makeMissingKeys(tx, now)
      const before = await readContact(tx, player)
      await recordContact(tx, player, { before, after: full }, cause)
      const key = await readNewestKey(tx, 'answers')
      const answers = seal(JSON.stringify(full), answersPlace(place), key)
      await changeAnswers(tx, place, { answers, now })
    }),
  )
  return full
}

export async function removeContact(
  db: Database,
  player: PlayerPlace & { playerId: string },
  cause: Cause,
): Promise<void> {
  await untilDone(() =>
    db.transaction(async (tx) => {
      await lockPlayers(tx, [player])
      await recordContact(tx, player, { before: await readContact(tx, player), after: undefined }, cause)
      await deleteAnswers(tx, { ...player, campaignId: contactCampaign })
    }),
  )
}

/** Who has changed where a player's prizes are told. The address itself is not for the log. */
async function recordContact(
  tx: Queryable,
  { merchantId, shard, playerNo }: PlayerPlace,
  { before, after }: { before: Contact | undefined; after: Contact | undefined },
  cause: Cause,
): Promise<void> {
  const shown = (contact: Contact | undefined) =>
    contact && { language: contact.language, agreedToMarketingAt: contact.agreedToMarketingAt ?? null }
  const isSameAddress = before?.email === after?.email
  if (isSameAddress && JSON.stringify(shown(before)) === JSON.stringify(shown(after))) return
  const subject = { kind: 'player' as const, shard, playerNo }
  const action = after === undefined ? 'contact.remove' : 'contact.set'
  const change = { before: shown(before), after: after && { ...shown(after), hasNewAddress: !isSameAddress } }
  await recordChanges(tx, [{ merchantId, action, subject, ...change }], cause)
}
