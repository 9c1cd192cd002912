import { type Queryable, statement } from '../../db/database.ts'
import type { Merchant } from '../../merchants/merchants.ts'
import { Mistake } from '../../mistake.ts'
import { isTest } from '../../test-clock.ts'

/**
 * Fails if demo data would go to a real merchant, whose ledger keeps it for ever. The merchant `demo` and test
 * merchants are for trying things out. Others may have only players of earlier demo data, and wheels that nobody has
 * changed.
 */
export async function refuseRealMerchant(
  db: Queryable,
  merchant: Merchant,
  demoPlayerIds: readonly string[],
): Promise<void> {
  const { merchantId, slug } = merchant
  if (slug === 'demo' || isTest(merchant)) return
  const [player] = await db.query(findOtherPlayer, [merchantId, demoPlayerIds])
  if (player !== undefined) throw refusal(slug, 'has players')
  // Every change of a wheel by somebody is in the audit log, or names its editors in the draft. Demo data does neither.
  const [wheel] = await db.query(findChangedWheel, [merchantId])
  if (wheel !== undefined) throw refusal(slug, 'has a wheel that somebody has edited or published')
}

function refusal(slug: string, reason: string): Mistake {
  return new Mistake(
    `Merchant ${slug} ${reason}. Demo data would replace its wheel main and stay in its ledger for ever. ` +
      `Use a test merchant (wheelhouse test create ${slug}, then wheelhouse demo test-${slug}) or a new merchant. ` +
      'Nothing was changed.',
  )
}

const findOtherPlayer = statement<{ playerId: string }>(`
select player_id as "playerId"
from players
where merchant_id = $1
and not (player_id = any($2::text[]))
limit 1`)

const findChangedWheel = statement<{ slug: string }>(`
select slug
from wheels
where merchant_id = $1
and (
  draft_editors <> '{}'
  or exists (
    select
    from audit_log
    where audit_log.merchant_id = $1
    and subject_kind = 'wheel'
    and subject = slug
  )
)
limit 1`)
