import { randomUUIDv7 } from 'node:crypto'
import type { SigningKey } from '../crypto/signing-key.ts'
import type { Transaction } from '../db/database.ts'
import { isTest } from '../test-clock.ts'
import { codeBudgets, useBudgets } from './budgets.ts'
import { later, makeCode, sessionPlace } from './codes.ts'
import { entrySessionSeconds } from './entry-limits.ts'
import type { EntryOrder } from './entry-order.ts'
import { type EntrySession, insertSessions } from './entry-sessions.ts'
import { refuseSome } from './refused-entries.ts'
import { seal } from './seal.ts'
import { budgetSecret, type VisitorKeys } from './visitor-keys.ts'
import type { Waiting } from './waiting.ts'

/**
 * Keeps what visitors typed until they type their codes, and queues the mails. Nothing here depends on whether an
 * address is known: neither the answer nor the work tells. All refusals are found before anything is thrown.
 */
export async function askForCodes(
  tx: Transaction,
  orders: readonly WaitingOrder[],
  { keys, now }: { keys: VisitorKeys; now: Date },
): Promise<EntrySession[]> {
  if (orders.length === 0) return []
  const uses = orders.map(({ merchant, fold, network }) => ({
    merchantId: merchant.merchantId,
    budgets: codeBudgets({ fold, network }),
  }))
  const used = await useBudgets(tx, { secret: budgetSecret(keys), now }, uses)
  refuseSome(orders.map((order, index) => [order, used[index]?.refusal]))
  const sessions = orders.map((order) => newSession(order, keys.answers))
  await insertSessions(tx, sessions)
  return sessions.map((session) => ({ ...session, playerId: null }))
}

/** `address` as it was typed: mail goes there. */
export type WaitingOrder = EntryOrder & { address: string; network: string; timeZone: string | undefined }

function newSession(order: WaitingOrder, key: SigningKey) {
  const { merchant, entry, language, fold, address, answers, consents, timeZone, now } = order
  const { merchantId, campaignId } = entry
  const sessionId = randomUUIDv7()
  const waiting: Waiting = { fold, address, answers, consents, timeZone }
  return {
    sessionId,
    merchantId,
    campaignId,
    language,
    ...seal(JSON.stringify(waiting), sessionPlace(sessionId), key),
    ...makeCode(sessionId, { key, isMailed: !isTest(merchant), now }),
    formVersion: entry.version,
    endsAt: later(now, entrySessionSeconds),
    now,
  }
}
