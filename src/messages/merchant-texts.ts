import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { type Database, type Queryable, statement, untilDone } from '../db/database.ts'
import { lockMerchant } from '../db/merchant-lock.ts'
import { Refusal } from '../refusals.ts'
import { cleaned, type MessageKind, messageKinds, type MessageTexts, textProblems } from './message-texts.ts'

/** The texts of a merchant, for all campaigns that have no own ones. */
export type MerchantTexts = { kinds: Record<MessageKind, MessageTexts>; revision: number }

export async function readMerchantTexts(db: Queryable, merchantId: number): Promise<MerchantTexts> {
  const [found] = await db.query(read, [merchantId])
  return { kinds: completedTexts(found?.texts ?? {}), revision: found?.revision ?? 0 }
}

/** Kinds that are missing have no texts. */
export function completedTexts(
  texts: Partial<Record<MessageKind, MessageTexts>>,
): Record<MessageKind, MessageTexts> {
  const kinds = messageKinds.map((kind) => [kind, cleaned(texts[kind] ?? {})])
  return Object.fromEntries(kinds) as Record<MessageKind, MessageTexts>
}

export async function changeMerchantTexts(
  db: Database,
  change: {
    merchantId: number
    kinds: Record<MessageKind, MessageTexts>
    revision: number | undefined
  },
  cause: Cause,
): Promise<MerchantTexts> {
  const { merchantId, kinds, revision } = change
  refuseTexts((kind) => `/kinds/${kind}`, kinds)
  return untilDone(() =>
    db.transaction(async (tx) => {
      await lockMerchant(tx, merchantId)
      const before = await readMerchantTexts(tx, merchantId)
      if (revision !== undefined && revision !== before.revision) throw new Refusal('settings_changed')
      await tx.query(save, [merchantId, JSON.stringify(kinds), cause.now])
      const subject = { kind: 'merchant', id: '' }
      const action = 'messages.texts'
      await recordChanges(tx, [{ merchantId, action, subject, before: before.kinds, after: kinds }], cause)
      return readMerchantTexts(tx, merchantId)
    }),
  )
}

/** For a new test merchant. */
export async function copyMerchantTexts(
  tx: Queryable,
  { from, to, now }: { from: number; to: number; now: Date },
): Promise<void> {
  await tx.query(copy, [from, to, now])
}

/** Refuses texts that are wrong, each at its field. `pointerOf` says where the texts of a kind are. */
export function refuseTexts(
  pointerOf: (kind: MessageKind) => string,
  kinds: Partial<Record<MessageKind, MessageTexts>>,
  others: readonly { pointer: string; detail: string }[] = [],
): void {
  const wrong = messageKinds.flatMap((kind) =>
    Object.entries(kinds[kind] ?? {}).flatMap(([language, text]) =>
      textProblems(kind, text).map(({ part, detail }) => ({
        pointer: `${pointerOf(kind)}/${language}/${part}`,
        detail,
      })),
    ),
  )
  const errors = [...wrong, ...others]
  if (errors.length === 0) return
  const detail = errors.map((one) => `${one.pointer} ${one.detail}`).join('; ')
  throw new Refusal('validation_failed', { detail, errors })
}

const read = statement<{ texts: Partial<Record<MessageKind, MessageTexts>>; revision: number }>(`
select texts, revision
from message_texts
where merchant_id = $1`)

const save = statement(`
insert into message_texts (merchant_id, texts, changed_at, revision)
values ($1, $2::jsonb, $3, 1)
on conflict (merchant_id) do update
set
  texts = excluded.texts,
  changed_at = excluded.changed_at,
  revision = message_texts.revision + 1`)

const copy = statement(`
insert into message_texts (merchant_id, texts, changed_at, revision)
select $2, texts, $3, 1
from message_texts
where merchant_id = $1`)
